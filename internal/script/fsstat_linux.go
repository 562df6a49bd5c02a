package script

import "syscall"

// fillInfo adds what the system alone knows of a file.
func fillInfo(info *fileInfo, sys any) {
	s, ok := sys.(*syscall.Stat_t)
	if !ok {
		return
	}
	ms := func(t syscall.Timespec) float64 { return float64(t.Nano()) / 1e6 }
	info.ATime, info.MTime, info.CTime = ms(s.Atim), ms(s.Mtim), ms(s.Ctim)
	info.Dev, info.Ino, info.Nlink, info.UID, info.GID, info.Blocks = uint64(s.Dev), s.Ino, uint64(s.Nlink), s.Uid, s.Gid, s.Blocks
}

package script

import (
	"io/fs"
	"os"
)

// fileInfo is what Stats and Dirent are made of; times in milliseconds.
type fileInfo struct {
	Name   string  `json:"name"`
	Type   string  `json:"type"`
	Size   int64   `json:"size"`
	Mode   uint32  `json:"mode"`
	ATime  float64 `json:"atimeMs"`
	MTime  float64 `json:"mtimeMs"`
	CTime  float64 `json:"ctimeMs"`
	Dev    uint64  `json:"dev"`
	Ino    uint64  `json:"ino"`
	Nlink  uint64  `json:"nlink"`
	UID    uint32  `json:"uid"`
	GID    uint32  `json:"gid"`
	Blocks int64   `json:"blocks"`
}

func infoOf(i fs.FileInfo) fileInfo {
	mtime := float64(i.ModTime().UnixNano()) / 1e6
	info := fileInfo{
		Name: i.Name(), Type: typeOf(i.Mode()), Size: i.Size(), Mode: uint32(i.Mode().Perm()) | typeBits(i.Mode()),
		ATime: mtime, MTime: mtime, CTime: mtime, Nlink: 1, Blocks: (i.Size() + 511) / 512,
	}
	fillInfo(&info, i.Sys())
	return info
}

func fsStat(v *vm, a args) (any, error) {
	i, err := os.Stat(v.path(a.text(0)))
	if err != nil {
		return nil, err
	}
	return asJSON(infoOf(i))
}

func fsLstat(v *vm, a args) (any, error) {
	i, err := os.Lstat(v.path(a.text(0)))
	if err != nil {
		return nil, err
	}
	return asJSON(infoOf(i))
}

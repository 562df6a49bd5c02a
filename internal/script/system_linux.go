package script

import (
	"os"
	"strings"
	"syscall"
)

// systemRelease is the version of the kernel.
func systemRelease() string {
	text, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// totalMemory and freeMemory are the machine's, in bytes.
func totalMemory() uint64 {
	var s syscall.Sysinfo_t
	if syscall.Sysinfo(&s) != nil {
		return 0
	}
	return uint64(s.Totalram) * uint64(s.Unit)
}

func freeMemory() uint64 {
	var s syscall.Sysinfo_t
	if syscall.Sysinfo(&s) != nil {
		return 0
	}
	return uint64(s.Freeram) * uint64(s.Unit)
}

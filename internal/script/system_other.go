//go:build !linux

package script

// systemRelease, totalMemory and freeMemory are not known here.
func systemRelease() string { return "" }
func totalMemory() uint64   { return 0 }
func freeMemory() uint64    { return 0 }

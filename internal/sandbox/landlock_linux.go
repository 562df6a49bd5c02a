package sandbox

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What a confined program may do below the writable folders alone. Reading and
// running are not among it: they stay as they are everywhere.
const (
	fileWrites   = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	folderWrites = unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER
)

// devices may be written to by everybody, since nothing comes of it.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}

// rulesetAttr is what landlock_create_ruleset takes; older kernels take it as long as
// what they do not know is 0.
type rulesetAttr struct{ fs, net, scoped uint64 }

// abi is the version of Landlock that the kernel has, or why it has none.
var abi = sync.OnceValues(func() (int, error) {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	switch {
	case errno == unix.EOPNOTSUPP:
		return 0, errors.New("the kernel's Landlock is switched off")
	case errno == unix.ENOSYS:
		return 0, errors.New("the kernel has no Landlock")
	case errno != 0:
		return 0, fmt.Errorf("the kernel's Landlock cannot be asked: %w", errno)
	case int(v) < 2:
		return 0, errors.New("the kernel's Landlock is older than version 2, with which files cannot be moved between folders")
	}
	return int(v), nil
})

// probe says why programs cannot be confined here; nil when they can.
func probe() error {
	_, err := abi()
	return err
}

// handled gives the rights that the kernel can hold.
func handled(version int) rulesetAttr {
	a := rulesetAttr{fs: fileWrites | folderWrites}
	if version < 3 {
		a.fs &^= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 6 { // a program cannot end the host, nor other programs of the user's
		a.scoped = unix.LANDLOCK_SCOPE_SIGNAL
	}
	return a
}

// newRuleset gives the descriptor of rules that let a program write below the given
// folders alone. The caller closes it.
func newRuleset(writable []string) (int, error) {
	version, err := abi()
	if err != nil {
		return -1, unavailable()
	}
	attr := handled(version)
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return -1, fmt.Errorf("%w: making rules: %w", ErrUnavailable, errno)
	}
	rules := int(fd)
	for _, dir := range writable {
		if err == nil {
			err = allow(rules, dir, attr.fs)
		}
	}
	for _, file := range devices {
		if derr := allow(rules, file, attr.fs&fileWrites); err == nil && !errors.Is(derr, os.ErrNotExist) {
			err = derr
		}
	}
	if err != nil {
		_ = unix.Close(rules)
		return -1, fmt.Errorf("making rules for the sandbox: %w", err)
	}
	return rules, nil
}

// allow adds a rule for what lies below a path.
func allow(rules int, path string, access uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	attr := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(rules), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&attr)), 0, 0, 0)
	if errno != 0 {
		return &os.PathError{Op: "landlock_add_rule", Path: path, Err: errno}
	}
	return nil
}

// restrict puts the calling thread under the rules; it cannot be undone.
func restrict(rules int) error {
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(rules), 0, 0); errno != 0 {
		return fmt.Errorf("%w: taking on the rules: %w", ErrUnavailable, errno)
	}
	return nil
}

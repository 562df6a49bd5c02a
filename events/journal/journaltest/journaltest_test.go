package journaltest_test

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"go.uber.org/goleak"

	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/events/journal/journaltest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func onFS(fs vfs.FS) journaltest.Root {
	return func() (journaltest.Log, error) { return journal.Open("root", &journal.Options{FS: fs}) }
}

func TestJournal_OnDisk(t *testing.T) {
	t.Parallel()
	journaltest.Run(t, func(t *testing.T) journaltest.Root {
		dir := t.TempDir()
		return func() (journaltest.Log, error) { return journal.Open(dir, nil) }
	})
}

func TestJournal_InMemory(t *testing.T) {
	t.Parallel()
	journaltest.Run(t, func(*testing.T) journaltest.Root { return onFS(vfs.NewMem()) })
}

// Each opening sees what a crash at that moment would have left: what was synced and nothing else.
func TestJournal_OverCrashes(t *testing.T) {
	t.Parallel()
	journaltest.Run(t, func(*testing.T) journaltest.Root {
		fs := vfs.NewCrashableMem()
		return func() (journaltest.Log, error) {
			fs = fs.CrashClone(vfs.CrashCloneCfg{})
			return journal.Open("root", &journal.Options{FS: fs})
		}
	})
}

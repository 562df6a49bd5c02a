package projections

import (
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/rs/zerolog"
)

// What the library says of its own work is no line of the host's log, also at debug level.
func TestRouterLog_IsQuiet(t *testing.T) {
	t.Parallel()
	var logged strings.Builder
	v, err := Start(t.Context(), &Options{Journal: openJournal(t, vfs.NewMem()), Logger: zerolog.New(zerolog.SyncWriter(&logged)).Level(zerolog.DebugLevel)})
	if err != nil {
		t.Fatal(err)
	}
	closeViews(t, v)
	for _, noise := range []string{"Adding handler", "Running router", "router"} {
		if strings.Contains(logged.String(), noise) {
			t.Error(logged.String())
		}
	}
}

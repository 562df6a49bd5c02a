package script

import (
	"bytes"
	"testing"

	"github.com/rs/zerolog"
)

// What a VM breaks off because it is closed is not reported as a fault of the project.
func TestRejections_AreNotOfTheClosing(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	v := &vm{o: (&Options{Logger: zerolog.New(&out)}).EnsureDefaults(), dog: &watchdog{}}
	report := hostOps.now["log.rejection"]
	thrown := args{`{"name":"InternalError","message":"interrupted"}`}
	for _, killed := range []bool{false, true} {
		out.Reset()
		v.dog.killed = killed
		if _, err := report(v, thrown); err != nil {
			t.Fatal(err)
		}
		if logged := out.Len() > 0; logged == killed {
			t.Errorf("closing %v: the log is %q", killed, out.String())
		}
	}
}

package journal

import (
	"fmt"
	"os"

	"github.com/rs/zerolog"
)

// exitStore is the exit code of a process whose store cannot go on.
const exitStore = 70

// storeLog is what Pebble writes to. Its chatter is dropped.
type storeLog struct {
	log   zerolog.Logger
	fatal func(string)
}

func (*storeLog) Infof(string, ...any) {}

func (l *storeLog) Errorf(format string, args ...any) {
	l.log.Warn().Msgf("journal: "+format, args...)
}

// Fatalf ends the process: Pebble has lost track of its own files, and only a
// new start finds out what is on disk.
func (l *storeLog) Fatalf(format string, args ...any) {
	msg := fmt.Sprintf(format, args...)
	l.log.Error().Msg("journal: the store cannot go on: " + msg)
	if l.fatal != nil {
		l.fatal(msg)
		return
	}
	os.Exit(exitStore)
}

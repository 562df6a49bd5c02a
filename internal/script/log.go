package script

import (
	"strings"

	"github.com/rs/zerolog"
)

// logOps carry console, unhandled rejections and stacks into the log.
func logOps(o *ops) {
	o.sync("log.line", func(v *vm, a args) (any, error) {
		event := v.log().WithLevel(levelOf(a.text(0))).Str("source", "console")
		if c := v.running.Load(); c != nil {
			event = c.mark(event)
		}
		event.Msg(a.text(1))
		return nil, nil
	})
	o.sync("log.rejection", func(v *vm, a args) (any, error) {
		err := v.fromThrown(a.text(0))
		if v.strayed("a promise that the test does not await was rejected", err) {
			return nil, nil
		}
		event := v.log().Error()
		if e, ok := err.(*Error); ok {
			if e.Code == CodeInterrupted && v.dog.closing() {
				return nil, nil // what a VM that is closed breaks off is no fault of the project
			}
			event = event.Str("place", e.Place()).Str("stack", e.Stack)
		}
		event.Msg("unhandled rejection: " + err.Error())
		return nil, nil
	})
	o.sync("log.stack", func(v *vm, a args) (any, error) {
		e := &Error{Stack: a.text(0)}
		v.maps.place(e)
		if e.Stack == "" {
			return "", nil
		}
		return "    " + strings.ReplaceAll(e.Stack, "\n", "\n    "), nil
	})
}

func levelOf(name string) zerolog.Level {
	switch name {
	case "debug":
		return zerolog.DebugLevel
	case "warn":
		return zerolog.WarnLevel
	case "error":
		return zerolog.ErrorLevel
	}
	return zerolog.InfoLevel
}

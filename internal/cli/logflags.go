package cli

import (
	"github.com/rs/zerolog"
	"github.com/spf13/pflag"

	"github.com/gobdk/bdk/internal/logs"
)

// logFlags say what is logged and how.
type logFlags struct {
	level  string
	format string
}

func (f *logFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.level, "log-level", "", "lowest level that is logged: "+list(logLevels)+" (default: info for a host, else warn)")
	flags.StringVar(&f.format, "log-format", "auto", "log lines: "+list(logFormats)+"; auto is console on a terminal")
}

// What the flags can be.
var (
	logLevels  = []string{"debug", "info", "warn", "error", "off"}
	logFormats = []string{"auto", logs.FormatJSON, logs.FormatConsole}
)

// open makes the process's log; level holds where no flag says otherwise.
func (f *logFlags) open(a *app, level string) error {
	if f.level != "" {
		level = f.level
	}
	if err := oneOf("log-level", level, logLevels...); err != nil {
		return err
	}
	if err := oneOf("log-format", f.format, logFormats...); err != nil {
		return err
	}
	o := &logs.Options{Out: a.Stderr, Format: f.format, Color: a.color(a.Stderr), Redactor: a.redactor, Level: zerolog.Disabled}
	if level != "off" {
		o.Level, _ = zerolog.ParseLevel(level)
	}
	if f.format == "auto" {
		o.Format = logs.FormatJSON
		if a.terminal(a.Stderr) {
			o.Format = logs.FormatConsole
		}
	}
	a.log = logs.New(o)
	a.logger = a.log.Logger()
	return nil
}

package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/internal/logs"
	"github.com/gobdk/bdk/internal/redact"
)

// An app is one run of the program.
type app struct {
	*Process
	signals *signals
	// given is the environment of the process without the files that flags name.
	given []string
	// status says on a terminal what goes on.
	status *status
	// redactor keeps secrets out of logs and errors.
	redactor *redact.Redactor
	// log is set by openLog; before, lines go nowhere.
	log    *logs.Log
	logger zerolog.Logger
	// recordings are what models replay.
	recordings recordings
}

// Main runs the command line of a process and gives its exit code. Everything
// that the command wrote is written when it returns.
func Main(p *Process) int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	a := newApp(p, cancel)
	done, relayed := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(relayed)
		a.signals.relay(p.Signals, done)
	}()
	defer func() { close(done); <-relayed }()

	result := make(chan error, 1)
	go func() { result <- a.run(ctx) }()
	select {
	case err := <-result:
		a.report(err)
		return exitCode(err)
	case <-a.signals.abort:
		return ExitInterrupted
	}
}

func newApp(p *Process, cancel context.CancelCauseFunc) *app {
	a := &app{
		Process:  p,
		given:    p.Environ,
		signals:  &signals{cancel: cancel, abort: make(chan struct{})},
		redactor: redact.New(redact.SecretsOf(p.Environ)...),
		logger:   zerolog.Nop(),
	}
	a.Process, a.status = withStatus(p, a.getenv("TERM") == "dumb")
	return a
}

func (a *app) run(ctx context.Context) error {
	root := a.newRoot()
	root.SetArgs(a.Args)
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	if err := a.helpFor(root); err != nil {
		return err
	}
	err := root.ExecuteContext(ctx)
	if err != nil && context.Cause(ctx) == errInterrupted && exitCode(err) == ExitFailed {
		return errInterrupted
	}
	return err
}

// report writes an error for people.
func (a *app) report(err error) {
	if err == nil {
		return
	}
	if text := explain(err); text != "" {
		a.say("bdk: %s", a.redactor.Text(text))
	}
}

// say writes a line for people to stderr; nothing in it can move their terminal.
func (a *app) say(format string, args ...any) {
	text := logs.Visible(fmt.Sprintf(format, args...), "\n\t")
	_, _ = io.WriteString(a.Stderr, strings.TrimRight(text, "\n")+"\n")
}

// print writes a result to stdout.
func (a *app) print(format string, args ...any) error {
	_, err := fmt.Fprintf(a.Stdout, format, args...)
	if err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	return nil
}

// shown is a text for stdout: harmless where that is a terminal, as it is elsewhere.
func (a *app) shown(s string) string {
	if a.terminal(a.Stdout) {
		return logs.Visible(s, "\n\t")
	}
	return s
}

// getenv gives a variable of the process, empty when it is not set.
func (a *app) getenv(name string) string {
	value, _ := a.lookupEnv(name)
	return value
}

// isSet says whether the process has a variable, which may be empty.
func (a *app) isSet(name string) bool {
	_, ok := a.lookupEnv(name)
	return ok
}

func (a *app) lookupEnv(name string) (value string, ok bool) {
	for _, pair := range slices.Backward(a.Environ) {
		if key, value, ok := strings.Cut(pair, "="); ok && key == name {
			return value, true
		}
	}
	return "", false
}

// color says whether a stream may be painted.
func (a *app) color(stream any) bool { return a.terminal(stream) && a.getenv("NO_COLOR") == "" }

// newRoot gives the command line with every command.
func (a *app) newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "bdk",
		Short: "Run AI agents from a folder of files",
		Long: "bdk runs AI agents that are folders of files: instructions, tools in TypeScript, a model.\n" +
			"It hosts them over HTTP, and drives them from this command line.",
		Example:       "  bdk init my-agent\n  bdk dev --dir my-agent",
		Version:       Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE:          a.noCommand,
	}
	root.SetVersionTemplate("bdk {{.Version}}\n")
	root.SuggestionsMinimumDistance = 2
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(&cobra.Command{Hidden: true, Use: "no-help"})
	root.SetFlagErrorFunc(a.flagFault)
	root.AddCommand(
		a.newInit(), a.newValidate(), a.newInfo(), a.newServe(), a.newDev(), a.newRun(), a.newChat(),
		a.newCall(), a.newEval(), a.newSessions(), a.newMCP(), a.newLogs(), a.newDocs(), a.newGitHub(), a.newSlack(), a.newVersion(), a.newCompletion(), a.newTool(),
	)
	root.AddCommand(newElsewhere()...)
	for _, c := range root.Commands() {
		a.finish(c)
		a.completeFlags(c)
	}
	return root
}

// noCommand answers a command line that names no command, or one that there is not.
func (a *app) noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	if args[0] == "help" {
		target, _, err := c.Find(args[1:])
		if err == nil && (len(args) == 1 || target != c) {
			return target.Help()
		}
		args = args[1:]
	}
	return unknownCommand(c, args[0])
}

// helpFor refuses help on a command that there is not, which would be that of its parent.
func (a *app) helpFor(root *cobra.Command) error {
	if !slices.Contains(a.Args, "--help") && !slices.Contains(a.Args, "-h") {
		return nil
	}
	c, rest, err := root.Find(a.Args)
	rest = slices.DeleteFunc(slices.Clone(rest), func(arg string) bool { return arg == "--help" || arg == "-h" })
	if err != nil || !c.HasSubCommands() || len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
		return nil
	}
	if c == root && rest[0] != "help" {
		return unknownCommand(c, rest[0])
	}
	return c.ValidateArgs(rest[:1])
}

// flagFault is for a flag that cannot be understood: of a command that there is not,
// it is the command that is wrong.
func (a *app) flagFault(c *cobra.Command, err error) error {
	first := slices.IndexFunc(a.Args, func(arg string) bool { return !strings.HasPrefix(arg, "-") })
	if first == 0 && !c.HasParent() {
		return unknownCommand(c, a.Args[0])
	}
	return flagFault(c, err)
}

// takesCommand is for a command that does nothing by itself.
func takesCommand(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(c, args[0])
	}
	return nil
}

// unknownCommand names the commands that there are.
func unknownCommand(c *cobra.Command, name string) error {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	c.SuggestionsMinimumDistance = 2
	hint := ""
	if near := c.SuggestionsFor(name); len(near) > 0 {
		hint = fmt.Sprintf(" (did you mean %s?)", near[0])
	}
	return usagef("%s has no command %q%s: it has %s", c.CommandPath(), name, hint, strings.Join(names, ", "))
}

package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gobdk/bdk/internal/project"
)

// variable is the environment variable that stands for a flag.
func variable(flag string) string {
	return "BDK_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// finish makes a command and those beneath it take flags from the environment.
func (a *app) finish(c *cobra.Command) {
	c.Flags().SortFlags = false
	if run := c.RunE; run != nil {
		c.RunE = func(c *cobra.Command, args []string) error {
			if err := a.fromEnv(c.Flags()); err != nil {
				return err
			}
			return run(c, args)
		}
	}
	for _, sub := range c.Commands() {
		a.finish(sub)
	}
}

// notFromEnv marks a flag that no variable stands for.
const notFromEnv = "bdk_not_from_env"

// fromEnv sets the flags that the command line left out and a variable names. A
// file that was named by --env-file counts as environment.
func (a *app) fromEnv(flags *pflag.FlagSet) error {
	var failed error
	set := func(f *pflag.Flag) {
		value := a.getenv(variable(f.Name))
		if _, marked := f.Annotations[notFromEnv]; marked || f.Changed || value == "" || f.Name == "help" || failed != nil {
			return
		}
		if err := setFlag(f, value); err != nil {
			failed = usagef("the variable %s is %q: it is %s", variable(f.Name), value, kind(f))
		}
	}
	if f := flags.Lookup("env-file"); f != nil {
		set(f)
		if failed != nil {
			return failed
		}
		if err := a.readEnvFiles(f.Value.(pflag.SliceValue).GetSlice()); err != nil {
			return err
		}
	}
	flags.VisitAll(set)
	return failed
}

// setFlag gives a flag its value; one that may be repeated takes a list with commas.
func setFlag(f *pflag.Flag, value string) error {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.Replace(strings.Split(value, ","))
	}
	return f.Value.Set(value)
}

// readEnvFiles puts files in front of the environment, so that what the process
// was given wins. The later file wins over an earlier one.
func (a *app) readEnvFiles(files []string) error {
	a.given = a.Environ
	environ, err := a.environNow(files)
	if err != nil {
		return usagef("%w", err)
	}
	a.Environ = environ
	return nil
}

// environNow is the environment with these files as they are now.
func (a *app) environNow(files []string) ([]string, error) {
	var pairs []string
	for _, file := range files {
		more, err := project.ReadEnv(a.path(file))
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, more...)
	}
	return append(pairs, a.given...), nil
}

// path makes a path absolute.
func (a *app) path(p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(a.Dir, p)
}

// projectFlags say which project is meant and how it is loaded.
type projectFlags struct {
	dir      string
	envFiles []string
	log      logFlags
}

func (f *projectFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.dir, "dir", ".", "folder of the project, or of several")
	flags.StringArrayVar(&f.envFiles, "env-file", nil, "environment file, repeatable (default: .env and .env.local of the project)")
	f.log.add(flags)
}

// again is the flag that names the same folder, for the commands that are shown to
// people; empty where it is not needed.
func (f *projectFlags) again() string {
	if f.dir == "." {
		return ""
	}
	return " --dir " + shellWord(f.dir)
}

// directory is the absolute folder of the project; one argument may name it too.
func (f *projectFlags) directory(a *app, c *cobra.Command, args []string) (string, error) {
	if len(args) > 0 {
		if c.Flags().Changed("dir") {
			return "", usagef("the project's folder is given twice: as %q and as --dir %q", args[0], f.dir)
		}
		f.dir = args[0]
	}
	dir := a.path(f.dir)
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return "", cannotStart("there is no folder %s: name the project's with --dir", dir)
	}
	return dir, nil
}

// options are those for loading. An empty cache folder means no cache.
func (f *projectFlags) options(a *app, cache string) *project.Options {
	files := make([]string, 0, len(f.envFiles))
	for _, file := range f.envFiles {
		files = append(files, a.path(file))
	}
	o := &project.Options{Env: a.Environ, CacheDir: cache, Logger: a.logger}
	if a.Executable != "" {
		o.ToolCommand = []string{a.Executable, toolCommand}
	}
	if len(files) > 0 {
		o.EnvFiles = files
	}
	return o
}

// hostFlags say where a host is and what it wants.
type hostFlags struct {
	url   string
	slug  string
	token string
}

func (f *hostFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.url, "url", "", "URL of a host, or of one of its agents (default: the host that serves the state root)")
	flags.StringVar(&f.slug, "slug", "", "agent, where there are several")
	flags.StringVar(&f.token, "token", "", "bearer token of the host")
}

// rootFlags say where the state root is.
type rootFlags struct{ stateRoot string }

func (f *rootFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.stateRoot, "state-root", "", "folder of the host's data (default: <dir>/.bdk)")
}

// directory is the absolute state root of a project's folder.
func (f *rootFlags) directory(a *app, dir string) string {
	if f.stateRoot == "" {
		return filepath.Join(dir, ".bdk")
	}
	return a.path(f.stateRoot)
}

// oneOf checks a flag that has a few values.
func oneOf(flag, value string, values ...string) error {
	if slices.Contains(values, value) {
		return nil
	}
	return usagef("--%s is %q: it can be %s", flag, value, list(values))
}

// list gives "a, b or c".
func list(values []string) string {
	last := len(values) - 1
	return strings.Join(values[:last], ", ") + " or " + values[last]
}

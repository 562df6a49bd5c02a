package cli

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gobdk/bdk/internal/eval"
)

// evalFlags are those of bdk eval: which cases run, where, and what is made of it.
type evalFlags struct {
	project projectFlags
	root    rootFlags
	target  targetFlags
	model   string
	replay  bool

	list   bool
	tags   []string
	strict bool

	maxConcurrency int
	timeout        time.Duration

	asJSON      bool
	verbose     bool
	junit       string
	artifacts   string
	noArtifacts bool
	compare     string
}

// targetFlags say that cases run on a host elsewhere, and which agent of it is meant.
type targetFlags struct {
	url   string
	prod  bool
	slug  string
	token string
}

// remote says whether a host elsewhere runs the cases.
func (f *targetFlags) remote() bool { return f.url != "" || f.prod }

func (f *targetFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.slug, "slug", "", "agent, where there are several")
	flags.StringVar(&f.url, "url", "", "run on the host of this URL, or of one of its agents, instead of here")
	flags.BoolVar(&f.prod, "prod", false, "run on the host that BDK_PROD_URL names; with --slug")
	flags.StringVar(&f.token, "token", "", "bearer token of the host")
}

func (f *evalFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.list, "list", false, "print the cases that would run, and run none")
	flags.StringArrayVar(&f.tags, "tag", nil, "run the cases that have this tag, repeatable: any of them counts")
	flags.BoolVar(&f.strict, "strict", false, "exit with 1 for a scored case, too")
	flags.IntVar(&f.maxConcurrency, "max-concurrency", 0, "cases that run at once, 1 to 200 (default: that of evals.config.ts)")
	flags.DurationVar(&f.timeout, "timeout", 0, "time limit of a case that sets none itself, such as 90s (default: that of evals.config.ts, or else 3m)")
	flags.StringVar(&f.model, "model", "", "model instead of the agent's own, such as scripted or openai/gpt-5")
	flags.BoolVar(&f.replay, "replay", false, "run each case that names a recording on the recorded steps, without a model")
	flags.StringVar(&f.compare, "compare", "", "say what changed since a run: its id, its folder or summary.json, or last")
	flags.StringVar(&f.junit, "junit", "", "write a JUnit report into this file")
	flags.BoolVar(&f.asJSON, "json", false, "print the whole run as JSON")
	flags.BoolVar(&f.verbose, "verbose", false, "print every assertion and log of every case")
	flags.StringVar(&f.artifacts, "artifacts", "", "folder for what the run leaves (default: <dir>/.bdk/evals/<run>)")
	flags.BoolVar(&f.noArtifacts, "no-artifacts", false, "leave nothing behind, not even the sessions")
	f.project.add(flags)
	flags.StringVar(&f.root.stateRoot, "state-root", "", "folder of the sessions of this run (default: root in the folder of --artifacts)")
	// BDK_STATE_ROOT names that of the host, which evals never touch.
	_ = flags.SetAnnotation("state-root", notFromEnv, nil)
	f.target.add(flags)
}

// localAlone are the flags that mean nothing where a host elsewhere runs the cases.
var localAlone = []string{"max-concurrency", "model", "replay", "compare", "junit", "artifacts", "no-artifacts", "state-root"}

// check finds what cannot be, and what cannot be together.
func (f *evalFlags) check(c *cobra.Command) error {
	given := c.Flags().Changed
	switch {
	case given("max-concurrency") && (f.maxConcurrency < 1 || f.maxConcurrency > eval.MaxConcurrency):
		return usagef("--max-concurrency %d: it is from 1 to %d", f.maxConcurrency, eval.MaxConcurrency)
	case given("timeout") && f.timeout <= 0:
		return usagef("--timeout %s: it is a time above zero, such as 90s or 2m", f.timeout)
	case f.noArtifacts && f.artifacts != "":
		return usagef("--artifacts and --no-artifacts exclude each other")
	case f.replay && given("model") && !f.target.remote():
		return usagef("--model and --replay exclude each other: under --replay the model of a case is its recording")
	}
	for _, name := range []string{"junit", "artifacts", "compare", "state-root"} {
		if given(name) && c.Flags().Lookup(name).Value.String() == "" {
			return usagef("--%s is empty: give it a value, or leave it out", name)
		}
	}
	return nil
}

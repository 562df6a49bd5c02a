package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/eval"
	"github.com/gobdk/bdk/internal/eval/hosted"
	"github.com/gobdk/bdk/internal/project"
)

// A localEval is one run of evals in this process.
type localEval struct {
	*evalFlags
	app   *app
	place project.Place
	// dir is the folder that --dir names, which may hold several projects.
	dir    string
	suite  *eval.Suite
	runner *eval.Runner
	run    eval.RunOptions
	// folder is where the run is kept; empty: nowhere. temporary is removed at the end.
	folder, temporary string
	console           *evalConsole
}

// evalHere runs the cases in this process, on a host of its own.
func (a *app) evalHere(c *cobra.Command, f *evalFlags, ids []string) (err error) {
	ctx := c.Context()
	l := &localEval{evalFlags: f, app: a}
	if err := l.find(); err != nil {
		return err
	}
	if l.suite, err = a.loadSuite(ctx, f, l.place, l.cache(), false); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.suite.Close()) }()
	selection := eval.Selection{IDs: ids, Tags: f.tags}
	if f.list {
		return a.listEvals(l.suite, l.place.Slug, &selection, f)
	}
	l.prepare(selection)
	if err := l.check(c); err != nil {
		return err
	}
	before, err := l.compared()
	if err != nil {
		return err
	}
	run, err := l.execute(ctx)
	if err != nil {
		return err
	}
	return errors.Join(l.tell(run, before), l.verdict(ctx, run))
}

// find finds the project whose evals are meant.
func (l *localEval) find() (err error) {
	if l.dir, err = l.project.directory(l.app, nil, nil); err != nil {
		return err
	}
	places, err := project.Find(l.dir)
	if err != nil {
		return &coded{ExitNoStart, err}
	}
	slugs := make([]string, len(places))
	for i, p := range places {
		slugs[i] = p.Slug
		if p.Slug == l.target.slug || l.target.slug == "" && len(places) == 1 {
			l.place = p
			return nil
		}
	}
	if l.target.slug == "" {
		return usagef("there are several agents: choose one with --slug: %s", strings.Join(slugs, ", "))
	}
	return usagef("there is no agent %q: there is %s", l.target.slug, strings.Join(slugs, ", "))
}

// cache keeps what loading made beside the host's own; nothing where nothing is to be left.
func (l *localEval) cache() string {
	if l.noArtifacts || l.list {
		return ""
	}
	return cacheDir(filepath.Join(l.dir, ".bdk"))
}

// loadSuite loads the evals of a project and says what is wrong with them.
func (a *app) loadSuite(ctx context.Context, f *evalFlags, p project.Place, cache string, only bool) (*eval.Suite, error) {
	o := f.project.options(a, cache)
	o.CheckOnly = only
	end := a.progress("loading the evals of " + p.Slug)
	suite, err := project.LoadEvals(ctx, p, o)
	end()
	if ctx.Err() != nil {
		return nil, errors.Join(context.Cause(ctx), suite.Close())
	}
	return suite, err
}

// prepare settles what the run is.
func (l *localEval) prepare(s eval.Selection) {
	l.run = eval.RunOptions{
		ID: eval.NewRunID(time.Now()), Selection: s, MaxConcurrency: l.maxConcurrency, Timeout: l.timeout, Replay: l.replay,
	}
	reports := &eval.JUnitOptions{Strict: l.strict, Redact: l.app.redactor.Text}
	l.runner = &eval.Runner{
		Suite: l.suite, Agent: l.place.Slug, Logger: l.app.logger, FileReporter: eval.FileReporters(l.place.Dir, reports), Redact: l.app.redactedJSON,
	}
	if l.junit != "" {
		l.run.Observers = append(l.run.Observers, eval.NewJUnit(l.app.path(l.junit), reports))
	}
	switch {
	case l.artifacts != "":
		l.folder = l.app.path(l.artifacts)
	case !l.noArtifacts:
		l.folder = l.store().Dir(l.run.ID)
	}
	if l.folder != "" {
		l.run.Observers = append(l.run.Observers, eval.NewFolder(l.folder))
	}
	cases, _ := l.suite.Select(&s)
	l.console = l.app.newEvalConsole(l.place.Dir, l.evalFlags, cases)
	if l.folder != "" {
		l.console.kept = l.app.shortPath(l.folder)
	}
	l.run.Observers = append(l.run.Observers, l.console)
}

// store has the runs of the project.
func (l *localEval) store() *eval.Store {
	return eval.OpenStore(filepath.Join(l.place.Dir, ".bdk", "evals"))
}

// check says what is wrong with the evals, and why none of them could run.
func (l *localEval) check(c *cobra.Command) error {
	l.app.saySuite(l.place.Slug, l.suite)
	err := l.runner.Check(&l.run)
	if errors.Is(err, eval.ErrNoCases) {
		return l.app.noneSelected(c, l.run.Selection.IDs, err)
	}
	if err != nil {
		return &coded{ExitUsage, err}
	}
	l.app.sayUnmet(l.suite, &l.run.Selection)
	return nil
}

// sayUnmet warns of ids and tags that select nothing while others do.
func (a *app) sayUnmet(s *eval.Suite, by *eval.Selection) {
	for _, text := range s.Unmet(by) {
		a.say("bdk: warning: %s", text)
	}
}

// saySuite writes the findings of a suite to stderr.
func (a *app) saySuite(slug string, s *eval.Suite) {
	a.sayDiagnostics([]*agent.Agent{{Slug: slug, Dir: s.Dir, Diagnostics: s.Diagnostics}})
}

// noneSelected says so, and names the command that was meant where that is likely.
func (a *app) noneSelected(c *cobra.Command, ids []string, err error) error {
	if len(ids) > 0 && slices.IndexFunc(c.Commands(), func(sub *cobra.Command) bool { return sub.Name() == ids[0] }) < 0 {
		c.SuggestionsMinimumDistance = 2
		if near := c.SuggestionsFor(ids[0]); len(near) > 0 {
			err = fmt.Errorf("%w; for the command, type bdk eval %s", err, near[0])
		}
	}
	return &coded{ExitUsage, err}
}

// execute runs the cases on a host that lives as long as they do.
func (l *localEval) execute(ctx context.Context) (run *eval.Run, err error) {
	root, err := l.stateRoot()
	if err != nil {
		return nil, err
	}
	defer func() {
		if l.temporary != "" {
			err = errors.Join(err, os.RemoveAll(l.temporary))
		}
	}()
	o := &ownHost{project: &l.project, model: l.model, dir: l.dir, root: root, cache: l.cache()}
	l.app.replaysFrom(&seatFlags{project: l.project, root: *l.hosts(), host: hostFlags{slug: l.place.Slug}})
	s, err := l.app.stackOver(ctx, o, func(agents []*agent.Agent) error {
		_, err := l.app.choose(agents, l.place.Slug, false)
		return err
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, (&seat{own: s}).close(ctx)) }()
	if l.runner.Target, err = hosted.New(s.host, l.place.Slug, &hosted.Options{Models: s.core.Models, Prices: s.core.Prices}); err != nil {
		return nil, err
	}
	if !l.replay { // the recordings are the models, whatever BDK_MODEL says
		l.run.Model = s.core.ModelID
	}
	return l.runner.Run(ctx, l.run)
}

// stateRoot is where the sessions of the run are.
func (l *localEval) stateRoot() (string, error) {
	root := l.root.stateRoot
	switch {
	case root != "":
		root = l.app.path(root)
		if l.ofHost(root) {
			return "", usagef("--state-root %s is that of a host: evals have one of their own, so name another folder or leave the flag out", l.root.stateRoot)
		}
	case l.folder != "":
		root = filepath.Join(l.folder, "root")
	default:
		dir, err := os.MkdirTemp("", "bdk-eval-")
		if err != nil {
			return "", cannotStart("making a folder for the sessions: %w", err)
		}
		l.temporary = dir
		return dir, nil
	}
	l.run.StateRoot = root
	l.console.opens = l.opens(root)
	return root, nil
}

// ofHost says whether a state root is one of the project's hosts, by whatever name.
func (l *localEval) ofHost(root string) bool {
	hosts := []string{filepath.Join(l.dir, ".bdk"), filepath.Join(l.place.Dir, ".bdk"), l.hosts().directory(l.app, l.dir)}
	return slices.ContainsFunc(hosts, func(host string) bool {
		asked, err := os.Stat(root)
		if root == host || err != nil {
			return root == host
		}
		served, err := os.Stat(host)
		return err == nil && os.SameFile(asked, served)
	})
}

// hosts names the state root of the host, which the flag of evals does not.
func (l *localEval) hosts() *rootFlags {
	return &rootFlags{stateRoot: l.app.getenv(variable("state-root"))}
}

// opens gives the command that shows a session of the run.
func (l *localEval) opens(root string) func(id string) string {
	flags := " --state-root " + shellWord(l.app.shortPath(root)) + l.project.again()
	return func(id string) string { return "bdk sessions events " + id + flags }
}

// verdict is how the command ends.
func (l *localEval) verdict(ctx context.Context, run *eval.Run) error {
	if errors.Is(context.Cause(ctx), errInterrupted) {
		return errInterrupted
	}
	return evalOutcome(run, l.strict)
}

package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/internal/eval/record"
	"github.com/gobdk/bdk/internal/plainfile"
	"github.com/gobdk/bdk/internal/project"
	"github.com/gobdk/bdk/internal/redact"
)

type evalRecordFlags struct {
	seat  seatFlags
	name  string
	stubs string
}

func (a *app) newEvalRecord() *cobra.Command {
	f := &evalRecordFlags{}
	c := &cobra.Command{
		Use:   "record <session>",
		Short: "Make an eval of a session that was recorded",
		Long: "record writes an eval that sends the messages of a session again and asserts what the agent did:\n" +
			"its tool calls with their inputs, approvals, subagents, skills, artifacts and how each turn ended.\n" +
			"The session's events go into evals/recordings, so that bdk eval --replay runs the eval on the\n" +
			"recorded steps, without a model. Secrets that are known as such are taken out of both; read what\n" +
			"was written before you commit it.\n\n" +
			"Tools with an effect outside of the session give in the eval what they gave in the recording;\n" +
			"--stubs all makes every tool do so, --stubs none no tool.\n\n" +
			"It overwrites nothing. Turns that were cancelled, or that their provider failed, are left out.",
		Example: "  bdk eval record ses_01…\n  bdk eval record ses_01… --name refunds/twice\n  bdk eval record ses_01… --url http://127.0.0.1:3000/my-agent",
		Args:    takesOne("a session's id"),
		RunE:    func(c *cobra.Command, args []string) error { return a.evalRecord(c.Context(), f, args[0]) },
	}
	c.Flags().StringVar(&f.name, "name", "", "id of the eval, such as refunds/twice (default: made of the first message)")
	c.Flags().StringVar(&f.stubs, "stubs", record.StubWrites, "tools that give what they gave: "+list(stubChoices))
	f.seat.add(c.Flags())
	return c
}

var stubChoices = []string{record.StubWrites, record.StubAll, record.StubNone}

func (a *app) evalRecord(ctx context.Context, f *evalRecordFlags, id string) error {
	if err := f.check(); err != nil {
		return err
	}
	if err := f.seat.project.log.open(a, "warn"); err != nil {
		return err
	}
	lines, err := a.readSession(ctx, &f.seat, id)
	if err != nil {
		return err
	}
	place, err := a.recordedPlace(f, record.AgentOf(lines))
	if err != nil {
		return err
	}
	a.redactor.Add(redact.SecretsOf(a.envOf(f, place))...)
	files, err := newEval(place.Dir, lines, &record.Options{
		Agent: place.Slug, Name: f.name, Stubs: f.stubs, Redactor: a.redactor, File: a.contentOf(&f.seat),
	})
	if err != nil {
		return err
	}
	return a.writeEval(place.Dir, files, a.againReplay(f, place))
}

// check finds what cannot be.
func (f *evalRecordFlags) check() error {
	if err := oneOf("stubs", f.stubs, stubChoices...); err != nil {
		return err
	}
	f.name = strings.TrimSuffix(f.name, ".eval.ts")
	if f.name == "" {
		return nil
	}
	for _, part := range strings.Split(f.name, "/") {
		odd := strings.ContainsFunc(part, func(r rune) bool {
			return unicode.IsControl(r) || unicode.IsSpace(r) || strings.ContainsRune(`\:*?"<>|`, r)
		})
		if part == "" || strings.HasPrefix(part, ".") || odd || len(part) > 100 {
			return usagef("--name %q: an id is a path of plain names, such as refunds/twice", f.name)
		}
	}
	if folder, is := strings.CutSuffix(f.name, "/index"); is {
		return usagef("--name %q: the id of an index is that of its folder: name it %q", f.name, folder)
	}
	return nil
}

// againReplay are the flags of bdk eval that run what was written for a project.
func (a *app) againReplay(f *evalRecordFlags, p project.Place) string {
	flags := "--replay" + f.seat.project.again()
	if p.Dir != a.path(f.seat.project.dir) { // which holds several
		flags += " --slug " + shellWord(p.Slug)
	}
	return flags
}

// recordedPlace finds the project of an agent; empty: of the only one.
func (a *app) recordedPlace(f *evalRecordFlags, slug string) (project.Place, error) {
	dir, err := f.seat.project.directory(a, nil, nil)
	if err != nil {
		return project.Place{}, err
	}
	places, err := project.Find(dir)
	if err != nil {
		return project.Place{}, &coded{ExitNoStart, err}
	}
	if f.seat.host.slug != "" {
		slug = f.seat.host.slug
	}
	i := slices.IndexFunc(places, func(p project.Place) bool { return p.Slug == slug })
	switch {
	case i >= 0:
		return places[i], nil
	case len(places) == 1: // record says what is wrong
		return places[0], nil
	}
	slugs := make([]string, len(places))
	for i, p := range places {
		slugs[i] = p.Slug
	}
	return project.Place{}, usagef("there is no agent %q in %s: there is %s", slug, dir, strings.Join(slugs, ", "))
}

// envOf gives the environment of a project, whose secrets no eval may have.
func (a *app) envOf(f *evalRecordFlags, p project.Place) []string {
	if len(f.seat.project.envFiles) > 0 {
		return a.Environ
	}
	return projectEnv(p.Dir)
}

// contentOf reads what the state root keeps by its hash; nil where it is a host's elsewhere.
func (a *app) contentOf(f *seatFlags) func(hash string) ([]byte, bool) {
	if f.host.url != "" {
		return nil
	}
	root := f.root.directory(a, a.path(f.project.dir))
	return func(hash string) ([]byte, bool) {
		if _, err := hex.DecodeString(hash); err != nil || len(hash) != 2*sha256.Size {
			return nil, false
		}
		b, err := plainfile.Read(filepath.Join(root, "content", hash[:2], hash))
		sum := sha256.Sum256(b)
		return b, err == nil && hex.EncodeToString(sum[:]) == hash
	}
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/project"
)

// load loads the project or projects of a folder.
func (a *app) load(ctx context.Context, dir string, o *project.Options) ([]*agent.Agent, error) {
	defer a.progress("loading " + filepath.Base(dir))()
	agents, err := project.Load(ctx, dir, o)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, &coded{ExitNoStart, err}
	}
	for _, ag := range agents {
		ag.Diagnostics = append(ag.Diagnostics, actors.PeerCircles(ag.Slug, agents)...)
	}
	return agents, nil
}

// progress says on a terminal what is going on when it takes longer than a
// second. The function that it gives ends that.
func (a *app) progress(what string) (end func()) {
	a.status.begin(what)
	return a.status.end
}

// closeAgents releases what loading made.
func closeAgents(agents []*agent.Agent) error {
	var errs []error
	for _, ag := range agents {
		if ag.Close == nil {
			continue
		}
		if err := ag.Close(); err != nil {
			errs = append(errs, fmt.Errorf("closing %s: %w", ag.Slug, err))
		}
	}
	return errors.Join(errs...)
}

// refuseErrors says what is wrong with the projects and refuses to go on with errors.
func (a *app) refuseErrors(agents []*agent.Agent) error {
	a.sayDiagnostics(agents)
	errs, _ := counts(agents)
	if errs == 0 {
		return nil
	}
	return cannotStart("the project has %s: mend what is listed above, or see bdk validate", plural(errs, "error"))
}

package cli

import (
	"context"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/project"
)

// evalFindings adds to each agent what is wrong with the evals of its project.
func (a *app) evalFindings(ctx context.Context, agents []*agent.Agent, o *project.Options) error {
	defer a.progress("loading evals")()
	for _, ag := range agents {
		s, err := project.LoadEvals(ctx, project.Place{Dir: ag.Dir, Slug: ag.Slug}, o)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		ag.Diagnostics = append(ag.Diagnostics, s.Diagnostics...)
	}
	return nil
}

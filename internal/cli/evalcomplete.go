package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/internal/eval"
)

// completeEvals makes a shell know the ids and the tags of the cases of a project.
func (a *app) completeEvals(c *cobra.Command, f *evalFlags) {
	of := func(pick func(*eval.Case) []string) cobra.CompletionFunc {
		return func(c *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			found := a.completeCases(c, f, pick)
			found = slices.DeleteFunc(found, func(s string) bool { return !strings.HasPrefix(s, typed) })
			return found, cobra.ShellCompDirectiveNoFileComp
		}
	}
	c.ValidArgsFunction = of(func(cs *eval.Case) []string { return []string{cs.ID} })
	_ = c.RegisterFlagCompletionFunc("tag", of(func(cs *eval.Case) []string { return cs.Tags }))
}

// completeCases gives what pick takes of the cases here, each once. Without an answer in
// time, or with several agents to choose from, there is nothing.
func (a *app) completeCases(c *cobra.Command, f *evalFlags, pick func(*eval.Case) []string) []string {
	l := &localEval{evalFlags: f, app: a}
	if a.fromEnv(c.Flags()) != nil || f.target.remote() || l.find() != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(c.Context(), completeBound)
	defer cancel()
	suite, err := a.loadSuite(ctx, f, l.place, "", true)
	if err != nil {
		return nil
	}
	var found []string
	for _, cs := range suite.Cases {
		for _, s := range pick(cs) {
			if !slices.Contains(found, s) {
				found = append(found, s)
			}
		}
	}
	return found
}

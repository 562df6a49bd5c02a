package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gobdk/bdk/internal/client"
)

// prodVariable names the variable with the URL of --prod.
const prodVariable = "BDK_PROD_URL"

// An evalHost is an agent elsewhere whose eval runs are meant.
type evalHost struct {
	*client.Client
	// how are the flags that name it, for the commands that are shown to people.
	how string
}

// command is one that people can type about a run on this host.
func (h *evalHost) command(name, id string) string {
	return strings.Join([]string{"bdk eval", name, id, h.how}, " ")
}

// address is the URL that the flags name.
func (f *targetFlags) address(a *app) (string, error) {
	switch prod := a.getenv(prodVariable); {
	case !f.prod:
		return f.url, nil
	case f.url != "":
		return "", usagef("--url and --prod exclude each other: --prod is the host that %s names", prodVariable)
	case prod == "":
		return "", usagef("--prod is the host that %s names, and that variable is not set: set it to the URL of the host, such as https://agents.example.com, or name one with --url", prodVariable)
	default:
		return prod, nil
	}
}

// seat is where to look for the host: at the address, or at the state root's lock.
func (f *targetFlags) seat(a *app, project projectFlags, root rootFlags) (*seatFlags, error) {
	at, err := f.address(a)
	return &seatFlags{project: project, root: root, host: hostFlags{url: at, slug: f.slug, token: f.token}}, err
}

// evalHost finds the one agent that is meant, on a host that runs.
func (a *app) evalHost(ctx context.Context, f *targetFlags, project projectFlags, root rootFlags) (*evalHost, error) {
	s, err := f.seat(a, project, root)
	if err != nil {
		return nil, err
	}
	clients, served, err := a.served(ctx, s)
	if err != nil {
		return nil, err
	}
	if !served {
		return nil, cannotStart("no host is running on %s: eval status and eval cancel are about runs on one; name it with --url, or with --prod",
			root.directory(a, a.path(project.dir)))
	}
	c, err := client.One(clients)
	if err != nil {
		return nil, err
	}
	how := "--url " + c.Base()
	if f.prod {
		how = "--prod"
		if f.slug != "" {
			how += " --slug " + f.slug
		}
	}
	return &evalHost{c, how}, nil
}

// evalFault makes of what a host answers about evals an error of this program.
func (h *evalHost) fault(err error, id string) error {
	switch {
	case err == nil:
		return nil
	case client.HasCode(err, client.CodeNoCases), client.HasCode(err, client.CodeInvalidEvals), client.HasCode(err, client.CodeInvalidBody):
		return &coded{ExitUsage, err}
	case client.HasCode(err, client.CodeNotFound):
		return usagef("the agent at %s has no evals: there is no evals/ folder in its project", h.Base())
	case client.HasCode(err, client.CodeUnknownRun):
		return &coded{ExitFailed, fmt.Errorf("there is no run %s on %s: bdk eval status %s lists those that there are", id, h.Base(), h.how)}
	case client.HasCode(err, client.CodeNotRunning):
		return &coded{ExitFailed, fmt.Errorf("the run %s has ended already: %s shows how", id, h.command("status", id))}
	case client.HasCode(err, client.CodeRunActive):
		return &coded{ExitFailed, fmt.Errorf("%w: bdk eval status %s shows it", err, h.how)}
	}
	return err
}

// evalRunFlags are those of the commands about runs on a host.
type evalRunFlags struct {
	project projectFlags
	root    rootFlags
	target  targetFlags
	asJSON  bool
}

func (f *evalRunFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.asJSON, "json", false, "print JSON")
	f.project.add(flags)
	f.root.add(flags)
	flags.StringVar(&f.target.url, "url", "", "URL of a host, or of one of its agents (default: the host that serves the state root)")
	flags.BoolVar(&f.target.prod, "prod", false, "the host that "+prodVariable+" names; with --slug")
	flags.StringVar(&f.target.slug, "slug", "", "agent, where there are several")
	flags.StringVar(&f.target.token, "token", "", "bearer token of the host")
}

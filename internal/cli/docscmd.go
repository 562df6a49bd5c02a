package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/transport/docs"
)

// docsPatience is how long a host may take to say whether it has the documentation.
const docsPatience = 5 * time.Second

// docsFlags say which page is shown, and where from.
type docsFlags struct {
	dir  string
	root rootFlags
	url  string
	page string
	port int
}

func (a *app) newDocs() *cobra.Command {
	f := &docsFlags{}
	c := &cobra.Command{
		Use:   "docs",
		Short: "Show the documentation in a browser",
		Long: "docs prints the address of the documentation, and opens it in a browser when it writes to a terminal.\n" +
			"It is that of the host that runs, or else of a server of its own, until Ctrl-C. It needs no project.",
		Example: "  bdk docs\n  bdk docs --page tools\n  bdk docs --url https://agents.example.com",
		Args:    takesNothing,
		RunE:    func(c *cobra.Command, _ []string) error { return a.docs(c.Context(), f) },
	}
	c.Flags().StringVar(&f.page, "page", "", "page to begin with, such as tools")
	c.Flags().StringVar(&f.dir, "dir", ".", "folder of the project whose host is meant")
	f.root.add(c.Flags())
	c.Flags().StringVar(&f.url, "url", "", "URL of a host (default: the host that serves the state root)")
	c.Flags().IntVar(&f.port, "port", 0, "port of the server of its own; 0 picks a free one")
	_ = c.RegisterFlagCompletionFunc("page", cobra.FixedCompletions(docs.Pages(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// docs shows the documentation of a host, or serves it until the context ends.
func (a *app) docs(ctx context.Context, f *docsFlags) error {
	if f.page != "" && !slices.Contains(docs.Pages(), f.page) {
		return usagef("--page: there is no page %q: there are %s", f.page, strings.Join(docs.Pages(), ", "))
	}
	if f.port < 0 || f.port > 65535 {
		return usagef("--port %d is no port: it is 0 to 65535", f.port)
	}
	base, err := a.docsOfHost(ctx, f)
	if err != nil {
		return err
	}
	if base != "" {
		return a.showDocs(base, f.page)
	}
	return a.serveDocs(ctx, f)
}

// docsOfHost is the URL of a host that serves the documentation; empty when there is none.
func (a *app) docsOfHost(ctx context.Context, f *docsFlags) (string, error) {
	if f.url != "" {
		u, err := url.Parse(f.url)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return "", usagef("--url %q is no URL of a host: it looks like http://127.0.0.1:3000", f.url)
		}
		base := u.Scheme + "://" + u.Host
		has, err := hasDocs(ctx, base)
		switch {
		case err != nil:
			return "", cannotStart("%w: is the host running there?", err)
		case !has:
			return "", cannotStart("the host at %s serves no documentation (--no-docs): leave --url out to read what this bdk has", base)
		}
		return base, nil
	}
	owner, held, err := journal.ReadOwner(f.root.directory(a, a.path(f.dir)))
	if err != nil || !held || owner.URL == "" {
		return "", nil // a state root that cannot be read is no reason to show nothing
	}
	if has, err := hasDocs(ctx, owner.URL); err != nil || !has {
		return "", nil
	}
	return owner.URL, nil
}

// hasDocs asks a host whether it serves the documentation.
func hasDocs(ctx context.Context, base string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, docsPatience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, base+docs.Path, nil)
	if err != nil {
		return false, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false, err
	}
	return res.StatusCode == http.StatusOK, res.Body.Close()
}

// showDocs prints the address of a page, and opens it for a person.
func (a *app) showDocs(base, page string) error {
	at := base + docs.Path
	if page != "" {
		at += "/" + page
	}
	if err := a.print("%s\n", at); err != nil {
		return err
	}
	if a.Browse != nil && a.terminal(a.Stdout) {
		if err := a.Browse(at); err != nil {
			a.say("no browser could be opened: %v", err)
		}
	}
	return nil
}

// serveDocs serves the documentation to this machine until the context ends.
func (a *app) serveDocs(ctx context.Context, f *docsFlags) error {
	at, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(f.port)))
	if err != nil {
		return cannotStart("listening on port %d: %w: choose another with --port, or leave it out", f.port, err)
	}
	server := serveOn(at, atDocs(docs.New(nil)), nil)
	err = a.showDocs("http://"+at.Addr().String(), f.page)
	if err == nil {
		a.say("serving the documentation until Ctrl-C")
		select {
		case ended := <-server.ended:
			server.ended <- ended // which close says
		case <-ctx.Done():
		}
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), docsPatience)
	defer cancel()
	if ended := server.close(end); ended != nil {
		return errors.Join(err, fmt.Errorf("serving the documentation: %w", ended))
	}
	return err
}

// atDocs serves the site where a host has it, and sends everything else there.
func atDocs(site http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET "+docs.Path, site)
	mux.Handle("GET "+docs.Path+"/", site)
	mux.Handle("GET /{$}", http.RedirectHandler(docs.Path, http.StatusFound))
	return mux
}

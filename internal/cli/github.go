package cli

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/actors/github"
	"github.com/gobdk/bdk/internal/client"
	"github.com/gobdk/bdk/internal/project"
)

// secretVariable is where the secret of GitHub's webhook is.
const secretVariable = "GITHUB_WEBHOOK_SECRET"

func (a *app) newGitHub() *cobra.Command {
	c := &cobra.Command{
		Use:     "github",
		Short:   "Try the GitHub channel",
		Example: "  bdk github replay --fixture opened.json",
		Args:    takesCommand,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.newGitHubReplay())
	return c
}

type replayFlags struct {
	seat                                      seatFlags
	fixture, event, delivery, secret, channel string
	// unsigned says that an empty secret was given.
	unsigned bool
}

func (a *app) newGitHubReplay() *cobra.Command {
	f := &replayFlags{}
	c := &cobra.Command{
		Use:   "replay --fixture event.json",
		Short: "Send a signed event to a running host, as GitHub does",
		Long: "replay signs an event with " + secretVariable + ", of the environment or the project's .env, and posts it to the\n" +
			"GitHub channel of a running host. Without a secret it is sent unsigned, which bdk dev takes.\n" +
			"The file is {\"event\": \"pull_request\", \"delivery\"?: \"…\", \"payload\": {…}}, or a payload as GitHub sends it, with --event.\n" +
			"The channel answers before the agent begins: bdk sessions shows what comes of it.",
		Example: "  bdk github replay --fixture opened.json\n" +
			"  bdk github replay --fixture payload.json --event issue_comment --url http://127.0.0.1:3000/reviewer",
		Args: takesNothing,
		RunE: func(c *cobra.Command, _ []string) error {
			f.unsigned = c.Flags().Changed("secret") && strings.TrimSpace(f.secret) == ""
			return a.replayGitHub(c, f)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.fixture, "fixture", "", "file of the event; - reads stdin")
	flags.StringVar(&f.event, "event", "", "name of the event, such as pull_request, where the file does not say it")
	flags.StringVar(&f.delivery, "delivery", "", "id of the delivery; the same one again wakes nobody (default: a new one)")
	flags.StringVar(&f.secret, "secret", "", "secret of the webhook; an empty one sends the event unsigned (default: "+secretVariable+")")
	flags.StringVar(&f.channel, "channel", "github", "id of the channel")
	f.seat.add(flags)
	return c
}

func (a *app) replayGitHub(c *cobra.Command, f *replayFlags) error {
	if err := f.seat.project.log.open(a, "warn"); err != nil {
		return err
	}
	x, err := a.readFixture(f)
	if err != nil {
		return err
	}
	to, err := a.runningHost(c, &f.seat)
	if err != nil {
		return err
	}
	reply, err := to.PostChannel(c.Context(), f.channel, x.header(a.webhookSecret(f)), x.Payload)
	if err != nil {
		return a.dialled(err)
	}
	return a.replayed(f.channel, secretVariable, x.Delivery, reply)
}

// runningHost is the one host that an event is sent to.
func (a *app) runningHost(c *cobra.Command, seat *seatFlags) (*client.Client, error) {
	clients, served, err := a.served(c.Context(), seat)
	if err != nil {
		return nil, err
	}
	if !served {
		return nil, cannotStart("no host is running on %s: start it with bdk dev, or name one with --url", seat.root.directory(a, a.path(seat.project.dir)))
	}
	return client.One(clients)
}

// replayed prints the answer, and says what to do where it is a refusal.
func (a *app) replayed(channel, variable, delivery string, r client.Reply) error {
	if err := a.print("%d %s (delivery %s)\n", r.Status, http.StatusText(r.Status), delivery); err != nil {
		return err
	}
	if text := strings.TrimSpace(string(r.Body)); text != "" {
		if err := a.print("%s\n", a.shown(text)); err != nil {
			return err
		}
	}
	switch {
	case r.Status/100 == 2:
		return nil
	case r.Status == http.StatusUnauthorized:
		return &coded{ExitFailed, fmt.Errorf("the host did not take the signature: %s must be what the host was started with", variable)}
	case r.Status == http.StatusNotFound:
		return &coded{ExitFailed, fmt.Errorf("the host serves no channel %q: bdk validate says why one does not start; --channel names another", channel)}
	}
	return quiet(ExitFailed)
}

// webhookSecret is the one that was given, or that of the environment, or the project's.
func (a *app) webhookSecret(f *replayFlags) string {
	if f.unsigned {
		return ""
	}
	return a.secretOf(&f.seat, f.secret, secretVariable)
}

// secretOf is what was given, or a variable of the environment, or the project's.
func (a *app) secretOf(seat *seatFlags, secret, variable string) string {
	if secret == "" {
		secret = a.getenv(variable)
	}
	if places, err := project.Find(a.path(seat.project.dir)); secret == "" && err == nil && len(seat.project.envFiles) == 0 {
		for _, p := range places {
			if len(places) == 1 || p.Slug == seat.host.slug {
				secret, _ = lookupIn(projectEnv(p.Dir), variable)
			}
		}
	}
	if secret = strings.TrimSpace(secret); secret != "" {
		a.redactor.Add(secret)
	}
	return secret
}

// header is what GitHub sends with an event.
func (x *fixture) header(secret string) http.Header {
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set("User-Agent", "GitHub-Hookshot/bdk")
	h.Set(github.HeaderEvent, x.Event)
	h.Set(github.HeaderDelivery, x.Delivery)
	if secret != "" {
		h.Set(github.HeaderSignature, github.Sign(secret, x.Payload))
	}
	return h
}

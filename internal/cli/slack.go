package cli

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/slack"
)

// slackVariable is where the signing secret of Slack's app is.
const slackVariable = "SLACK_SIGNING_SECRET"

func (a *app) newSlack() *cobra.Command {
	c := &cobra.Command{
		Use:     "slack",
		Short:   "Set up and try the Slack channel",
		Example: "  bdk slack manifest --url https://bots.example.com/helper\n  bdk slack replay --fixture mention.json",
		Args:    takesCommand,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.newSlackManifest(), a.newSlackReplay(), a.newSlackCreate())
	return c
}

// newSlackCreate names the way: apps are made by people, on Slack's own pages.
func (a *app) newSlackCreate() *cobra.Command {
	return &cobra.Command{
		Use:     "create",
		Short:   "Say how the app of a Slack channel is made",
		Example: "  bdk slack create",
		Args:    takesNothing,
		RunE: func(*cobra.Command, []string) error {
			return a.print("Open https://api.slack.com/apps?new_app=1, choose to create the app from a manifest, paste what bdk slack manifest prints, install it, and set SLACK_BOT_TOKEN and SLACK_SIGNING_SECRET to what the app's pages show.\n")
		},
	}
}

type manifestFlags struct {
	project            projectFlags
	url, channel, slug string
}

func (a *app) newSlackManifest() *cobra.Command {
	f := &manifestFlags{}
	c := &cobra.Command{
		Use:   "manifest [dir]",
		Short: "Print the manifest of the app of a Slack channel",
		Long: "manifest prints what Slack makes an app of: the scopes and events that the project's channel needs, and its request URL.\n" +
			"--url is where Slack reaches the agent, as bdk serve prints it but for the public name. Without it the app is for a\n" +
			"socket, which needs SLACK_APP_TOKEN and no public name.",
		Example: "  bdk slack manifest --url https://bots.example.com/helper\n  bdk slack manifest > app.json",
		Args:    takesFolder,
		RunE: func(c *cobra.Command, args []string) (err error) {
			if err := f.project.log.open(a, "warn"); err != nil {
				return err
			}
			agents, err := a.inspect(c, &f.project, args)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, closeAgents(agents)) }()
			return a.slackManifest(f, agents)
		},
	}
	f.project.add(c.Flags())
	c.Flags().StringVar(&f.url, "url", "", "public URL of the agent; empty: the app uses a socket")
	c.Flags().StringVar(&f.channel, "channel", "", "id of the channel, where there are several")
	c.Flags().StringVar(&f.slug, "slug", "", "this agent alone")
	return c
}

func (a *app) slackManifest(f *manifestFlags, agents []*agent.Agent) error {
	var found []*agent.Channel
	for _, ag := range agents {
		for _, ch := range ag.Channels {
			if ch.Pack == "slack" && (f.channel == "" || ch.ID == f.channel) && (f.slug == "" || ag.Slug == f.slug) {
				found = append(found, ch)
			}
		}
	}
	switch len(found) {
	case 0:
		return &coded{ExitFailed, errors.New("the project has no such Slack channel: bot/channels/slack.ts default-exports slackChannel({...}); bdk validate says what is wrong with one that is there")}
	case 1:
	default:
		return usagef("the project has %d Slack channels: choose one with --channel, and its agent with --slug", len(found))
	}
	to, err := requestURL(f.url, found[0].ID)
	if err != nil {
		return err
	}
	manifest, err := found[0].Manifest(to)
	if err != nil {
		return err
	}
	return a.print("%s\n", manifest)
}

// requestURL is where Slack sends events for a channel; empty for a socket.
func requestURL(base, channel string) (string, error) {
	if base == "" {
		return "", nil
	}
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return "", usagef("--url is %q: Slack sends to a public URL that looks like https://bots.example.com/helper", base)
	}
	return strings.TrimRight(base, "/") + "/v1/channels/" + channel, nil
}

type slackReplayFlags struct {
	seat                                     seatFlags
	fixture, team, delivery, secret, channel string
	prefix                                   string
}

func (a *app) newSlackReplay() *cobra.Command {
	f := &slackReplayFlags{}
	c := &cobra.Command{
		Use:   "replay --fixture event.json",
		Short: "Send a signed event to a running host, as Slack does",
		Long: "replay signs an event with " + slackVariable + ", of the environment or the project's .env, and posts it to the\n" +
			"Slack channel of a running host.\n" +
			"The file is an event, {\"type\": \"app_mention\", …}; what Slack sends around one, {\"type\": \"event_callback\", …}; a command,\n" +
			"{\"command\": \"/ask\", \"text\": …}; or a click, {\"type\": \"block_actions\", …}.\n" +
			"The channel answers before the agent begins: bdk sessions shows what comes of it.",
		Example: "  bdk slack replay --fixture mention.json",
		Args:    takesNothing,
		RunE:    func(c *cobra.Command, _ []string) error { return a.replaySlack(c, f) },
	}
	flags := c.Flags()
	flags.StringVar(&f.fixture, "fixture", "", "file of the event; - reads stdin")
	flags.StringVar(&f.team, "team", "T0123456789", "id of the workspace, where the file does not say it")
	flags.StringVar(&f.delivery, "delivery", "", "event_id of the event; the same one again wakes nobody (default: the file's, or a new one)")
	flags.StringVar(&f.secret, "secret", "", "signing secret (default: "+slackVariable+")")
	flags.StringVar(&f.prefix, "env-prefix", "", "envPrefix of the channel")
	flags.StringVar(&f.channel, "channel", "slack", "id of the channel")
	f.seat.add(flags)
	return c
}

func (a *app) replaySlack(c *cobra.Command, f *slackReplayFlags) error {
	if err := f.seat.project.log.open(a, "warn"); err != nil {
		return err
	}
	text, err := a.fixtureText(f.fixture, `{"type": "app_mention", …}`)
	if err != nil {
		return err
	}
	x, err := parseSlackFixture(text, f.team, f.delivery)
	if err != nil {
		return usagef("--fixture %s: %w", f.fixture, err)
	}
	variable := slackVariable
	if f.prefix != "" {
		variable = strings.TrimSuffix(f.prefix, "_") + "_" + slackVariable
	}
	secret := a.secretOf(&f.seat, f.secret, variable)
	if secret == "" {
		return usagef("there is no signing secret: set %s in the environment or in .env, or give --secret", variable)
	}
	to, err := a.runningHost(c, &f.seat)
	if err != nil {
		return err
	}
	reply, err := to.PostChannel(c.Context(), f.channel, x.header(secret, time.Now()), x.body)
	if err != nil {
		return a.dialled(err)
	}
	return a.replayed(f.channel, variable, x.delivery, reply)
}

// header is what Slack sends with an event.
func (x *slackFixture) header(secret string, now time.Time) http.Header {
	at := strconv.FormatInt(now.Unix(), 10)
	h := http.Header{}
	h.Set("Content-Type", x.kind)
	h.Set("User-Agent", "Slackbot 1.0 (bdk)")
	h.Set(slack.HeaderTimestamp, at)
	h.Set(slack.HeaderSignature, slack.Sign(secret, at, x.body))
	return h
}

// errNoSlackEvent is for a file that is nothing that Slack sends.
var errNoSlackEvent = fmt.Errorf("it is no event, command or click: it has a type, such as app_mention, or a command")

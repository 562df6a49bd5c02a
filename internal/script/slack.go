package script

import "github.com/gobdk/bdk/actors/agent"

// noSlack is what ctx.host.slack says where it is not set up.
const noSlack = "ctx.host.slack is not available: set SLACK_BOT_TOKEN in the environment or in .env"

// slackOps serve ctx.host.slack.
func slackOps(o *ops) {
	platformOps(o, "slack", noSlack, func(c *agent.Call) agent.Platform { return c.Slack })
}

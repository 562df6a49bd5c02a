package project

import (
	"strings"

	"github.com/gobdk/bdk/actors/slack"
)

// Variables that say as whom Slack is asked, without the prefix of a channel.
const (
	envSlackBot    = "SLACK_BOT_TOKEN"
	envSlackSecret = "SLACK_SIGNING_SECRET"
	envSlackApp    = "SLACK_APP_TOKEN"
	envSlackAPI    = "SLACK_API_URL"
)

// slackEnv gives a variable of Slack's. Where the project's own file says where the API
// is, what the process was given stays with it.
func (l *loader) slackEnv(prefix string) func(name string) string {
	api := prefix + envSlackAPI
	elsewhere := l.env[api] != "" && !l.given(api)
	return func(name string) string {
		name = prefix + name
		if elsewhere && l.given(name) {
			return ""
		}
		return strings.TrimSpace(l.env[name])
	}
}

// slackSecrets reads what a channel needs from the environment; false: it does not start.
func (l *loader) slackSecrets(s *spec, prefix string, o *slack.Options) bool {
	if prefix != "" {
		prefix = strings.TrimSuffix(prefix, "_") + "_"
	}
	get := l.slackEnv(prefix)
	o.SigningSecret, o.AppToken = get(envSlackSecret), get(envSlackApp)
	missing := ""
	switch bot := get(envSlackBot); {
	case bot == "":
		missing = prefix + envSlackBot
	case o.SigningSecret == "" && o.AppToken == "":
		missing = prefix + envSlackSecret
	}
	if missing != "" {
		l.report.add(ruleSlackSecret, s.source.export(), "the channel does not start: "+missing+" is not set",
			"set "+prefix+envSlackBot+" and "+prefix+envSlackSecret+", or "+prefix+envSlackApp+" for a socket, in the environment or in .env; bdk slack manifest prints the app that they are of")
		o.Unserved = true
		return l.options.CheckOnly
	}
	c, err := slack.NewClient(slack.ClientOptions{Token: get(envSlackBot), APIURL: get(envSlackAPI)})
	if err != nil {
		l.report.add(ruleSlackOption, s.source.export(), "Slack cannot be asked: "+slackMessage(err), "mend "+prefix+envSlackBot+" in the environment or in .env")
		return false
	}
	o.Client = c
	if l.agent.Slack == nil {
		l.agent.Slack = c
	}
	return true
}

// slackHost gives code a client where the environment names a bot and no channel has
// given one. A token that cannot be used is a warning: the project may not mean it.
func (l *loader) slackHost() {
	get := l.slackEnv("")
	if l.agent.Slack != nil || get(envSlackBot) == "" {
		return
	}
	c, err := slack.NewClient(slack.ClientOptions{Token: get(envSlackBot), APIURL: get(envSlackAPI)})
	if err != nil {
		l.report.add(ruleSlackSecret, place{File: l.place.Root}, "ctx.host.slack is not available: "+slackMessage(err), "mend "+envSlackBot+" in the environment or in .env")
		return
	}
	l.agent.Slack = c
}

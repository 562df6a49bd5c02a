package project

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/github"
)

// Variables that say as whom GitHub is asked.
const (
	envGitHubSecret = "GITHUB_WEBHOOK_SECRET"
	envGitHubToken  = "GITHUB_TOKEN"
	envGitHubApp    = "GITHUB_APP_ID"
	envGitHubKey    = "GITHUB_APP_PRIVATE_KEY"
	envGitHubAPI    = "GITHUB_API_URL"
)

const gitHubLogin = envGitHubToken + ", or " + envGitHubApp + " and " + envGitHubKey

// gitHubEnv are the settings that the environment has. An app that is there whole goes
// before a token, which machines often have for other ends. Where the project's own
// file says where the API is, what the process was given stays with it.
func (l *loader) gitHubEnv() github.ClientOptions {
	get := func(name string) string {
		if l.apiElsewhere() && l.given(name) {
			return ""
		}
		return strings.TrimSpace(l.env[name])
	}
	o := github.ClientOptions{APIURL: get(envGitHubAPI), AppID: get(envGitHubApp), PrivateKey: get(envGitHubKey)}
	if o.AppID != "" && o.PrivateKey != "" {
		return o
	}
	if o.Token = get(envGitHubToken); o.Token != "" {
		o.AppID, o.PrivateKey = "", ""
	}
	return o
}

// apiElsewhere says whether the project's own file says where the API is.
func (l *loader) apiElsewhere() bool { return l.env[envGitHubAPI] != "" && !l.given(envGitHubAPI) }

// given says whether a variable is the process's, and not of the project's files.
func (l *loader) given(name string) bool {
	return slices.ContainsFunc(l.options.Env, func(pair string) bool {
		key, value, _ := strings.Cut(pair, "=")
		return key == name && value != ""
	})
}

// githubHost gives code a client where the environment names an account and no channel
// has given one. Settings that cannot be used are a warning: the project may not mean them.
func (l *loader) githubHost() {
	o := l.gitHubEnv()
	if l.agent.GitHub != nil {
		return
	}
	if o.Token == "" && o.AppID == "" && o.PrivateKey == "" {
		if l.apiElsewhere() && (l.given(envGitHubToken) || l.given(envGitHubKey)) {
			l.report.add(ruleGitHubCredentials, place{File: l.place.Root}, "ctx.host.github is not available: the project's file sets "+envGitHubAPI+", and the credentials of the environment are not sent where a project says",
				"set "+envGitHubAPI+" in the environment, too, or the credentials in .env")
		}
		return
	}
	c, err := github.NewClient(o)
	if err != nil {
		l.report.add(ruleGitHubCredentials, place{File: l.place.Root}, "ctx.host.github is not available: "+oneMessage(err), gitHubFix(err, false))
		return
	}
	l.agent.GitHub = c
}

// githubClient makes the client of a channel; nil when its settings cannot be used.
func (l *loader) githubClient(s *spec) *github.Client {
	given := github.ClientOptions{Token: secretOf(s, "token"), AppID: appID(s), PrivateKey: secretOf(s, "privateKey"), APIURL: s.text("apiUrl")}
	o := l.gitHubEnv()
	switch {
	case given.Token != "":
		o.Token, o.AppID, o.PrivateKey = given.Token, given.AppID, given.PrivateKey
	case given.AppID != "" || given.PrivateKey != "":
		o.Token, o.AppID, o.PrivateKey = "", either(given.AppID, l.env[envGitHubApp]), either(given.PrivateKey, l.env[envGitHubKey])
	}
	o.APIURL = either(given.APIURL, o.APIURL)
	c, err := github.NewClient(o)
	if err != nil {
		l.report.add(ruleGitHubOption, s.source.export(), "GitHub cannot be asked: "+oneMessage(err), gitHubFix(err, true))
		return nil
	}
	return c
}

// gitHubFix names the settings at fault, those of the channel where there is one, and
// their variables.
func gitHubFix(err error, channel bool) string {
	variables := map[string]string{"token": envGitHubToken, "appId": envGitHubApp, "privateKey": envGitHubKey, "apiUrl": envGitHubAPI}
	var names []string
	for _, err := range joined(errors.Unwrap(err)) {
		var bad *github.SettingError
		if !errors.As(err, &bad) {
			continue
		}
		name := variables[bad.Setting]
		if channel {
			name = bad.Setting + " of the channel (or " + name + ")"
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if channel {
		return "mend " + strings.Join(names, " and ")
	}
	return "mend " + strings.Join(names, " and ") + " in the environment or in .env"
}

func either(first, second string) string {
	if first != "" {
		return first
	}
	return second
}

// secretOf is a text; empty where it is absent, as that of a variable that is not set
// may be. What is none is not shown.
func secretOf(s *spec, name string) string {
	text, _, ok := textOf(s.fields[name])
	if !ok {
		s.report.add(s.rule, s.at(name), name+" is no text", "make it a string, such as process.env.NAME")
	}
	return strings.TrimSpace(text)
}

// appID is a text or a number.
func appID(s *spec) string {
	raw := s.fields["appId"]
	var n json.Number
	if len(raw) > 0 && raw[0] != '"' && json.Unmarshal(raw, &n) == nil && !isNull(raw) {
		return n.String()
	}
	return s.text("appId")
}

// oneMessage is an error of the package without its name, in one line.
func oneMessage(err error) string {
	return strings.ReplaceAll(strings.TrimPrefix(err.Error(), "github: "), "\n", "; ")
}

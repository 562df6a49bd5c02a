package project

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/github"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/script"
)

// githubHandlers are the options that are functions, with the events that reach them.
var githubHandlers = []struct {
	name   string
	events []string
}{
	{"onPullRequest", []string{"pull_request"}},
	{"onIssue", []string{"issues"}},
	{"onComment", []string{"issue_comment", "pull_request_review", "pull_request_review_comment"}},
	{"onCheckRun", []string{"check_run"}},
	{"onWorkflowRun", []string{"workflow_run"}},
}

// githubFields are the options of githubChannel.
var githubFields = []string{
	"botName", "webhookSecret", "appId", "privateKey", "token", "apiUrl", "webhookEvents", "deliverReplies", "progress",
	"onPullRequest", "onIssue", "onComment", "onCheckRun", "onWorkflowRun",
}

// githubChannel reads the options of githubChannel.
func (l *loader) githubChannel(id, from string, m script.Loaded, src *source) *agent.Channel {
	before := l.report.errors()
	s := newSpec(l.report, src, ruleGitHubOption, m.Spec)
	delete(s.fields, "pack")
	s.unknown(ruleGitHubUnknown, githubFields)
	o := github.Options{ID: id, Source: from, BotName: s.text("botName"), WebhookSecret: secretOf(s, "webhookSecret"), NoReplies: s.has("deliverReplies") && !s.flag("deliverReplies")}
	o.WebhookSecret = either(o.WebhookSecret, l.env[envGitHubSecret])
	o.WebhookEvents = githubEvents(s)
	o.Progress = githubProgress(s)
	handled := l.githubHandlers(s, m.ID, &o)
	o.Client = l.githubClient(s)
	if l.report.errors() > before || o.Client == nil {
		return nil
	}
	if o.Client.Authenticated() && l.agent.GitHub == nil {
		l.agent.GitHub = o.Client
	}
	l.githubDoubts(s, &o, handled)
	c, err := github.Channel(l.githubStart(s, o))
	switch {
	case errors.Is(err, github.ErrNoSecret): // said by githubStart
		return nil
	case err != nil:
		l.report.add(ruleGitHubOption, src.export(), oneMessage(err), "mend what the message names")
		return nil
	}
	return c
}

func githubEvents(s *spec) []string {
	names := s.texts("webhookEvents")
	for _, name := range names {
		if slices.Contains(github.Events(), name) {
			continue
		}
		fix := "the events are " + strings.Join(github.Events(), ", ")
		if near, ok := nearest(name, github.Events()); ok {
			fix = `did you mean "` + near + `"?`
		}
		s.report.add(s.rule, s.at("webhookEvents"), "webhookEvents has "+quote(name)+", which is no event that the channel knows", fix)
	}
	return names
}

func githubProgress(s *spec) github.Progress {
	p := s.object("progress")
	p.unknown(ruleGitHubUnknown, []string{"reactions", "commitStatus", "banner"})
	return github.Progress{NoReactions: p.has("reactions") && !p.flag("reactions"), CommitStatus: p.flag("commitStatus"), Banner: p.flag("banner")}
}

// githubStart lets a channel without a secret start where nobody else reaches it, and
// where it is only looked at; elsewhere it says why it does not.
func (l *loader) githubStart(s *spec, o github.Options) github.Options {
	if o.WebhookSecret != "" {
		return o
	}
	o.AllowUnsigned = l.options.Dev || l.options.CheckOnly
	if !l.options.Dev {
		l.report.add(ruleGitHubSecret, s.source.export(), "the channel has no webhook secret, so it does not start: anybody could send it events",
			"set "+envGitHubSecret+" in the environment or in .env to the secret of the webhook; bdk dev takes unsigned events of this machine")
	}
	return o
}

// githubDoubts warns of what the options ask for and what will never be.
func (l *loader) githubDoubts(s *spec, o *github.Options, handled []string) {
	known := o.Client.Authenticated()
	if !known && (!o.NoReplies || !o.Progress.NoReactions || o.Progress.CommitStatus || o.Progress.Banner) {
		l.report.add(ruleGitHubCredentials, s.source.export(), "nothing is posted on GitHub, since the channel has no account there",
			"set "+gitHubLogin+" in the environment or in .env; or ask for nothing: deliverReplies: false, progress: {reactions: false}")
	}
	if len(handled) == 0 && o.BotName == "" && !known {
		l.report.add(ruleGitHubIdle, s.source.export(), "nothing wakes the agent: the channel has no handler, and no name that people could mention", `give it botName, or a handler such as onPullRequest`)
	}
	for _, h := range githubHandlers {
		heard := o.WebhookEvents == nil || slices.ContainsFunc(h.events, func(name string) bool { return slices.Contains(o.WebhookEvents, name) })
		if slices.Contains(handled, h.name) && !heard {
			l.report.add(ruleGitHubIdle, s.at(h.name), h.name+" never runs, since webhookEvents leaves out "+strings.Join(h.events, ", "), "add "+quote(h.events[0])+" to webhookEvents, or remove the handler")
		}
	}
}

// githubHandlers binds the handlers that are there, and gives their names.
func (l *loader) githubHandlers(s *spec, module string, o *github.Options) (handled []string) {
	for _, h := range githubHandlers {
		switch raw, ok := s.fields[h.name]; {
		case !ok:
		case !isFunction(raw):
			s.wrong(h.name, "a function (ctx, …) => null | {auth, title, context}")
		default:
			handled = append(handled, h.name)
		}
	}
	o.OnPullRequest = bindWake[github.PullRequest](l.runtime, module, "onPullRequest", handled)
	o.OnIssue = bindWake[github.Issue](l.runtime, module, "onIssue", handled)
	o.OnComment = bindWake[github.Comment](l.runtime, module, "onComment", handled)
	o.OnCheckRun = bindWake[github.CheckRun](l.runtime, module, "onCheckRun", handled)
	o.OnWorkflowRun = bindWake[github.WorkflowRun](l.runtime, module, "onWorkflowRun", handled)
	return handled
}

// bindWake calls a handler of the project; nil where it has none.
func bindWake[T any](runtime *script.Runtime, module, name string, handled []string) func(context.Context, *github.Delivery, T) (*github.Wake, error) {
	if !slices.Contains(handled, name) {
		return nil
	}
	return func(ctx context.Context, d *github.Delivery, subject T) (*github.Wake, error) {
		event, err := json.Marshal(map[string]any{"ctx": d, "subject": subject})
		if err != nil {
			return nil, err
		}
		raw, err := runtime.CallWake(ctx, module, name, event, d.Call)
		if err != nil {
			return nil, err
		}
		w, err := readWake(raw)
		if err != nil {
			return nil, fmt.Errorf("%s returned %w", name, err)
		}
		return w, nil
	}
}

// readWake reads what a handler returned; nil for null.
func readWake(raw json.RawMessage) (*github.Wake, error) {
	if isNull(raw) {
		return nil, nil
	}
	w := &github.Wake{}
	if err := readStrictly(raw, w); err != nil {
		return nil, fmt.Errorf("what is no {auth, title?, context?: string[], message?}: %w", err)
	}
	if w.Auth != (events.Principal{}) && (w.Auth.Kind == "" || w.Auth.ID == "") {
		return nil, errors.New("an auth without kind and id: use defaultGitHubAuth(ctx)")
	}
	return w, nil
}

// readStrictly reads JSON that has no other fields.
func readStrictly(raw json.RawMessage, out any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(out)
}

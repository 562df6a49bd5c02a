package github

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
)

// A thread is where a conversation is held: a pull request or an issue.
type thread struct {
	owner, repo string
	number      int64
	pull        bool
}

// Beginnings of continuation tokens.
const (
	pullStart  = "pr:"
	issueStart = "issue:"
)

// token is the conversation's name: pr:owner/repo#n or issue:owner/repo#n.
func (t thread) token() string {
	start := issueStart
	if t.pull {
		start = pullStart
	}
	return start + t.String()
}

// String is owner/repo#n.
func (t thread) String() string { return fmt.Sprintf("%s/%s#%d", t.owner, t.repo, t.number) }

// repoPath is the repository's place in the API.
func (t thread) repoPath() string { return "/repos/" + t.owner + "/" + t.repo }

// A PullRef names a pull request.
type PullRef struct {
	Owner  string `json:"owner"`
	Repo   string `json:"repo"`
	Number int64  `json:"number"`
}

// ParsePullToken reads the continuation token of a pull request; false for any other.
func ParsePullToken(token string) (PullRef, bool) {
	t, ok := parseThread(token)
	if !ok || !t.pull {
		return PullRef{}, false
	}
	return PullRef{t.owner, t.repo, t.number}, true
}

var (
	tokenForm = regexp.MustCompile(`^(pr:|issue:)([A-Za-z0-9._-]+)/([A-Za-z0-9._-]+)#([1-9][0-9]{0,17})$`)
	nameForm  = regexp.MustCompile(`^[A-Za-z0-9._-]{1,255}$`)
)

func plainName(s string) bool { return nameForm.MatchString(s) && strings.Trim(s, ".") != "" }

func parseThread(token string) (thread, bool) {
	m := tokenForm.FindStringSubmatch(token)
	if m == nil || !plainName(m[2]) || !plainName(m[3]) {
		return thread{}, false
	}
	n, err := strconv.ParseInt(m[4], 10, 64)
	return thread{owner: m[2], repo: m[3], number: n, pull: m[1] == pullStart}, err == nil
}

// target reads where a schedule's message goes: {owner, repo, number, issue?} names a
// pull request, or with issue an issue; else it is {continuationToken?, title?}.
func target(raw json.RawMessage) (agent.SendOptions, error) {
	var t struct {
		Owner, Repo       string
		Number            int64
		Issue             bool
		ContinuationToken string
		Title             string
	}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &t); err != nil {
			return agent.SendOptions{}, errors.New("the target of a github channel is an object with owner, repo and number")
		}
	}
	o := agent.SendOptions{ContinuationToken: t.ContinuationToken, Title: t.Title}
	if t.Owner == "" && t.Repo == "" && t.Number == 0 {
		return o, nil
	}
	at := thread{owner: t.Owner, repo: t.Repo, number: t.Number, pull: !t.Issue}
	if _, ok := parseThread(at.token()); !ok || t.ContinuationToken != "" {
		return agent.SendOptions{}, errors.New("the target of a github channel names one place: owner, repo and number, or a continuationToken")
	}
	o.ContinuationToken = at.token()
	return o, nil
}

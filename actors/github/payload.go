package github

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
)

// Webhook events that the channel knows.
const (
	eventPull          = "pull_request"
	eventIssues        = "issues"
	eventIssueComment  = "issue_comment"
	eventReview        = "pull_request_review"
	eventReviewComment = "pull_request_review_comment"
	eventCheckRun      = "check_run"
	eventWorkflowRun   = "workflow_run"
)

// A Delivery is one webhook event, with what a handler may use of the host.
type Delivery struct {
	*agent.Call `json:"-"`
	// ID is GitHub's own, the same when it delivers again; it may be empty.
	ID string `json:"deliveryId"`
	// Event and Action are such as "pull_request" and "opened".
	Event      string     `json:"event"`
	Action     string     `json:"action"`
	Repository Repository `json:"repository"`
	Sender     Sender     `json:"sender"`
	// Installation is that of the app, 0 where the webhook is not an app's.
	Installation int64 `json:"installationId,omitempty"`
	// Payload is the whole event as it came.
	Payload json.RawMessage `json:"payload"`
}

// A Repository is where an event happened.
type Repository struct {
	Owner         string `json:"owner"`
	Name          string `json:"name"`
	FullName      string `json:"fullName"`
	URL           string `json:"url"`
	Private       bool   `json:"private"`
	DefaultBranch string `json:"defaultBranch"`
}

// A Sender is whose doing an event is. Bot marks apps.
type Sender struct {
	Login string `json:"login"`
	Bot   bool   `json:"bot"`
}

// The wire is what is read of a payload.
type wire struct {
	Action       string   `json:"action"`
	Repository   wireRepo `json:"repository"`
	Sender       wireUser `json:"sender"`
	Installation struct{ ID int64 }
	PullRequest  *wirePull    `json:"pull_request"`
	Issue        *wireIssue   `json:"issue"`
	Comment      *wireComment `json:"comment"`
	Review       *wireComment `json:"review"`
	CheckRun     *wireRun     `json:"check_run"`
	WorkflowRun  *wireRun     `json:"workflow_run"`
	Changes      struct {
		Body struct{ From *string } `json:"body"`
	} `json:"changes"`
}

type wireRepo struct {
	Name          string   `json:"name"`
	FullName      string   `json:"full_name"`
	URL           string   `json:"html_url"`
	Private       bool     `json:"private"`
	DefaultBranch string   `json:"default_branch"`
	Owner         wireUser `json:"owner"`
}

type wireUser struct {
	Login string `json:"login"`
	Type  string `json:"type"`
}

func (u wireUser) bot() bool { return u.Type == "Bot" || strings.HasSuffix(u.Login, botEnding) }

type wireRef struct {
	Ref  string   `json:"ref"`
	SHA  string   `json:"sha"`
	Repo wireRepo `json:"repo"`
}

type wireIssue struct {
	Number      int64    `json:"number"`
	URL         string   `json:"html_url"`
	Title       string   `json:"title"`
	Body        string   `json:"body"`
	State       string   `json:"state"`
	Association string   `json:"author_association"`
	User        wireUser `json:"user"`
	Labels      []struct{ Name string }
	// PullRequest is there when the issue is a pull request.
	PullRequest json.RawMessage `json:"pull_request"`
}

type wirePull struct {
	wireIssue
	Draft        bool    `json:"draft"`
	Merged       bool    `json:"merged"`
	Head         wireRef `json:"head"`
	Base         wireRef `json:"base"`
	Additions    int64   `json:"additions"`
	Deletions    int64   `json:"deletions"`
	ChangedFiles int64   `json:"changed_files"`
	Commits      int64   `json:"commits"`
}

type wireComment struct {
	ID          int64    `json:"id"`
	URL         string   `json:"html_url"`
	Body        string   `json:"body"`
	Association string   `json:"author_association"`
	User        wireUser `json:"user"`
	Path        string   `json:"path"`
	Line        int64    `json:"line"`
	State       string   `json:"state"`
	App         *struct {
		ID   int64  `json:"id"`
		Slug string `json:"slug"`
	} `json:"performed_via_github_app"`
}

type wireRun struct {
	ID           int64  `json:"id"`
	URL          string `json:"html_url"`
	Name         string `json:"name"`
	Status       string `json:"status"`
	Conclusion   string `json:"conclusion"`
	Event        string `json:"event"`
	HeadBranch   string `json:"head_branch"`
	HeadSHA      string `json:"head_sha"`
	Attempt      int64  `json:"run_attempt"`
	App          struct{ Slug string }
	PullRequests []struct{ Number int64 } `json:"pull_requests"`
}

// read makes a delivery of a request whose signature is checked.
func read(call *agent.Call) (*Delivery, *wire, error) {
	r := call.Request
	w := &wire{}
	if err := json.Unmarshal(r.Body, w); err != nil {
		return nil, nil, &agent.RequestError{Where: "body", Issues: []agent.Issue{{Message: "the event cannot be read: " + err.Error()}}}
	}
	d := &Delivery{
		Call: call, ID: deliveryID(r), Event: r.Header.Get(HeaderEvent), Action: w.Action,
		Repository: w.Repository.repository(), Sender: Sender{w.Sender.Login, w.Sender.bot()},
		Installation: w.Installation.ID, Payload: r.Body,
	}
	return d, w, w.complete(d)
}

// complete says what is missing of what the event must have.
func (w *wire) complete(d *Delivery) error {
	missing := map[string]bool{"repository": d.Repository.Owner == "" || d.Repository.Name == "", "sender": d.Sender.Login == ""}
	switch d.Event {
	case eventPull:
		missing["pull_request"] = w.PullRequest == nil
	case eventIssues:
		missing["issue"] = w.Issue == nil
	case eventIssueComment:
		missing["issue"], missing["comment"] = w.Issue == nil, w.Comment == nil
	case eventReview:
		missing["pull_request"], missing["review"] = w.PullRequest == nil, w.Review == nil
	case eventReviewComment:
		missing["pull_request"], missing["comment"] = w.PullRequest == nil, w.Comment == nil
	case eventCheckRun:
		missing["check_run"] = w.CheckRun == nil
	case eventWorkflowRun:
		missing["workflow_run"] = w.WorkflowRun == nil
	}
	e := &agent.RequestError{Where: "body"}
	for _, name := range []string{"repository", "sender", "pull_request", "issue", "comment", "review", "check_run", "workflow_run"} {
		if missing[name] {
			e.Issues = append(e.Issues, agent.Issue{Path: name, Message: fmt.Sprintf("an event %s has a %s", d.Event, name)})
		}
	}
	if len(e.Issues) > 0 {
		return e
	}
	if !plainName(d.Repository.Owner) || !plainName(d.Repository.Name) {
		return errors.New("the repository has a name that GitHub does not give")
	}
	return nil
}

func (r wireRepo) repository() Repository {
	owner, _, _ := strings.Cut(r.FullName, "/")
	if r.Owner.Login != "" {
		owner = r.Owner.Login
	}
	return Repository{Owner: owner, Name: r.Name, FullName: owner + "/" + r.Name, URL: r.URL, Private: r.Private, DefaultBranch: r.DefaultBranch}
}

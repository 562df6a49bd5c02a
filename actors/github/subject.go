package github

// A PullRequest is what a pull_request event is about. Title, body and refs are what
// people on GitHub wrote.
type PullRequest struct {
	Number  int64  `json:"number"`
	URL     string `json:"url"`
	Action  string `json:"action"`
	Draft   bool   `json:"draft"`
	Merged  bool   `json:"merged"`
	State   string `json:"state"`
	Title   string `json:"title"`
	Body    string `json:"body"`
	HeadSHA string `json:"headSha"`
	HeadRef string `json:"headRef"`
	BaseRef string `json:"baseRef"`
	// Fork says that the changes come from another repository.
	Fork   bool   `json:"fork"`
	Author string `json:"author"`
	// AuthorAssociation is such as OWNER, MEMBER, COLLABORATOR, CONTRIBUTOR, NONE.
	AuthorAssociation string   `json:"authorAssociation"`
	Labels            []string `json:"labels"`
}

// An Issue is what an issues event is about.
type Issue struct {
	Number            int64    `json:"number"`
	URL               string   `json:"url"`
	Action            string   `json:"action"`
	State             string   `json:"state"`
	Title             string   `json:"title"`
	Body              string   `json:"body"`
	Author            string   `json:"author"`
	AuthorAssociation string   `json:"authorAssociation"`
	Labels            []string `json:"labels"`
}

// Kinds of a Comment.
const (
	CommentIssue  = "issue"  // below an issue or a pull request
	CommentReview = "review" // the text of a review
	CommentLine   = "line"   // at a line of the changes
)

// A Comment is a new comment, or a new review that has a text.
type Comment struct {
	ID                int64  `json:"id"`
	URL               string `json:"url"`
	Kind              string `json:"kind"`
	Body              string `json:"body"`
	Author            string `json:"author"`
	AuthorAssociation string `json:"authorAssociation"`
	// Number, Title and State are those of the issue or pull request.
	Number        int64  `json:"number"`
	Title         string `json:"title"`
	State         string `json:"state"`
	IsPullRequest bool   `json:"isPullRequest"`
	// Path and Line say where in the changes; empty and 0 elsewhere.
	Path string `json:"path,omitempty"`
	Line int64  `json:"line,omitempty"`
}

// A CheckRun is what a check_run event is about.
type CheckRun struct {
	ID         int64  `json:"id"`
	URL        string `json:"url"`
	Name       string `json:"name"`
	Action     string `json:"action"`
	Status     string `json:"status"`
	Conclusion string `json:"conclusion"`
	HeadSHA    string `json:"headSha"`
	// App is the slug of the app that runs it.
	App string `json:"app"`
	// PullRequests are the numbers of those whose head it checks.
	PullRequests []int64 `json:"pullRequests"`
}

// A WorkflowRun is what a workflow_run event is about.
type WorkflowRun struct {
	ID         int64  `json:"id"`
	URL        string `json:"url"`
	Name       string `json:"name"`
	Action     string `json:"action"`
	Status     string `json:"status"`
	Conclusion string `json:"conclusion"`
	// Event is what started it, such as "push".
	Event        string  `json:"event"`
	HeadBranch   string  `json:"headBranch"`
	HeadSHA      string  `json:"headSha"`
	Attempt      int64   `json:"attempt"`
	PullRequests []int64 `json:"pullRequests"`
}

func (w *wire) pull(d *Delivery) PullRequest {
	p := w.PullRequest
	return PullRequest{
		Number: p.Number, URL: p.URL, Action: w.Action, Draft: p.Draft, Merged: p.Merged, State: p.State, Title: p.Title, Body: p.Body,
		HeadSHA: p.Head.SHA, HeadRef: p.Head.Ref, BaseRef: p.Base.Ref, Fork: p.Head.Repo.FullName != "" && p.Head.Repo.FullName != d.Repository.FullName,
		Author: p.User.Login, AuthorAssociation: p.Association, Labels: p.labels(),
	}
}

func (w *wire) issue() Issue {
	i := w.Issue
	return Issue{
		Number: i.Number, URL: i.URL, Action: w.Action, State: i.State, Title: i.Title, Body: i.Body,
		Author: i.User.Login, AuthorAssociation: i.Association, Labels: i.labels(),
	}
}

// labels are never nil, since handlers look through them.
func (i *wireIssue) labels() []string {
	names := make([]string, 0, len(i.Labels))
	for _, l := range i.Labels {
		names = append(names, l.Name)
	}
	return names
}

// comment is the comment of an event; false where it has none that is new.
func (w *wire) comment(event string) (Comment, bool) {
	from, kind, on := w.Comment, CommentIssue, w.Issue
	isPull := on != nil && len(on.PullRequest) > 0 && string(on.PullRequest) != "null"
	fresh := w.Action == "created"
	if w.PullRequest != nil {
		on, isPull, kind = &w.PullRequest.wireIssue, true, CommentLine
	}
	if event == eventReview {
		from, kind, fresh = w.Review, CommentReview, w.Action == "submitted" && w.Review.Body != ""
	}
	return Comment{
		ID: from.ID, URL: from.URL, Kind: kind, Body: from.Body, Author: from.User.Login, AuthorAssociation: from.Association,
		Number: on.Number, Title: on.Title, State: on.State, IsPullRequest: isPull, Path: from.Path, Line: from.Line,
	}, fresh
}

func (w *wire) checkRun() CheckRun {
	r := w.CheckRun
	return CheckRun{
		ID: r.ID, URL: r.URL, Name: r.Name, Action: w.Action, Status: r.Status, Conclusion: r.Conclusion,
		HeadSHA: r.HeadSHA, App: r.App.Slug, PullRequests: r.numbers(),
	}
}

func (w *wire) workflowRun() WorkflowRun {
	r := w.WorkflowRun
	return WorkflowRun{
		ID: r.ID, URL: r.URL, Name: r.Name, Action: w.Action, Status: r.Status, Conclusion: r.Conclusion, Event: r.Event,
		HeadBranch: r.HeadBranch, HeadSHA: r.HeadSHA, Attempt: r.Attempt, PullRequests: r.numbers(),
	}
}

func (r *wireRun) numbers() []int64 {
	list := make([]int64, 0, len(r.PullRequests))
	for _, p := range r.PullRequests {
		list = append(list, p.Number)
	}
	return list
}

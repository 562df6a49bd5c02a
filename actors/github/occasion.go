package github

import (
	"context"
	"fmt"
	"strings"

	"github.com/gobdk/bdk/actors/surface"
)

// occasion finds what an event is about; nil where it has nothing new.
func (c *channel) occasion(d *Delivery, w *wire) *occasion {
	o := &occasion{d: d, author: d.Sender.Login}
	switch d.Event {
	case eventPull:
		c.pullOccasion(o, w)
	case eventIssues:
		c.issueOccasion(o, w)
	case eventCheckRun:
		r := w.checkRun()
		o.run("the check "+quoted(r.Name), r.Action, r.Conclusion, r.URL, r.PullRequests)
		o.judge = ask(c.o.OnCheckRun, d, r)
	case eventWorkflowRun:
		r := w.workflowRun()
		o.run("the workflow "+quoted(r.Name), r.Action, r.Conclusion, r.URL, r.PullRequests)
		o.judge = ask(c.o.OnWorkflowRun, d, r)
	default:
		comment, fresh := w.comment(d.Event)
		if !fresh {
			return nil
		}
		c.commentOccasion(o, comment)
	}
	return o
}

// ask binds a handler to its event; nil for none.
func ask[T any](f func(context.Context, *Delivery, T) (*Wake, error), d *Delivery, subject T) func(context.Context) (*Wake, error) {
	if f == nil {
		return nil
	}
	return func(ctx context.Context) (*Wake, error) { return f(ctx, d, subject) }
}

func (c *channel) pullOccasion(o *occasion, w *wire) {
	p := w.pull(o.d)
	o.on(thread{pull: true, number: p.Number})
	o.said = fmt.Sprintf("The pull request %s (%s into %s): %s by %s.\n%s", o.at, quoted(p.HeadRef), quoted(p.BaseRef), verb(p.Action), o.author, p.URL)
	o.about(p.Title, p.Body, p.Author)
	o.spoken = w.spoken()
	o.judge = ask(c.o.OnPullRequest, o.d, p)
}

func (c *channel) issueOccasion(o *occasion, w *wire) {
	i := w.issue()
	o.on(thread{number: i.Number})
	o.said = fmt.Sprintf("The issue %s: %s by %s.\n%s", o.at, verb(i.Action), o.author, i.URL)
	o.about(i.Title, i.Body, i.Author)
	o.spoken = w.spoken()
	o.judge = ask(c.o.OnIssue, o.d, i)
}

func (c *channel) commentOccasion(o *occasion, k Comment) {
	o.on(thread{number: k.Number, pull: k.IsPullRequest})
	where, path := "the issue", ""
	if k.IsPullRequest {
		where = "the pull request"
	}
	switch k.Kind {
	case CommentIssue:
		path = fmt.Sprintf("%s/issues/comments/%d", o.at.repoPath(), k.ID)
	case CommentLine:
		path = fmt.Sprintf("%s/pulls/comments/%d", o.at.repoPath(), k.ID)
		where = fmt.Sprintf("line %d of %s in %s", k.Line, quoted(k.Path), where)
	}
	o.react = path
	o.said = fmt.Sprintf("%s wrote a comment on %s %s, %s.\n%s", o.author, where, o.at, quoted(k.Title), k.URL)
	o.heading = o.at.String() + ": " + k.Title
	o.text, o.author, o.spoken = k.Body, k.Author, true
	o.judge = ask(c.o.OnComment, o.d, k)
}

// spoken says whether the text of a pull request or an issue is new: it was opened with
// it, or the text was changed.
func (w *wire) spoken() bool {
	return w.Action == "opened" || w.Action == "edited" && w.Changes.Body.From != nil
}

// on says where it happened.
func (o *occasion) on(t thread) {
	t.owner, t.repo = o.d.Repository.Owner, o.d.Repository.Name
	o.at = &t
	o.react = fmt.Sprintf("%s/issues/%d", t.repoPath(), t.number)
}

// about takes the title and the text of a pull request or an issue.
func (o *occasion) about(title, body, author string) {
	o.heading = o.at.String() + ": " + title
	o.text, o.author = strings.TrimSpace(title+"\n\n"+body), author
}

// run is about a check or a workflow, whose first pull request is where it happened.
func (o *occasion) run(what, action, conclusion, url string, pulls []int64) {
	o.heading = o.d.Repository.FullName + ": " + what
	if len(pulls) > 0 {
		o.on(thread{pull: true, number: pulls[0]})
		o.react = "" // nobody wrote anything
	}
	state := verb(action)
	if conclusion != "" {
		state += " (" + surface.OneLine(conclusion, 40) + ")"
	}
	o.said = fmt.Sprintf("In %s, %s: %s.\n%s", o.d.Repository.FullName, what, state, url)
	if o.at != nil {
		o.said += "\nIt belongs to the pull request " + o.at.String() + "."
	}
}

// verb is an action in words.
func verb(action string) string { return surface.OneLine(strings.ReplaceAll(action, "_", " "), 40) }

// quoted shows a name that somebody else chose.
func quoted(s string) string { return fmt.Sprintf("%q", surface.OneLine(s, 200)) }

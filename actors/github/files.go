package github

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/surface"
)

// Files of a pull request in the workspace.
const (
	DiffFile = "pr/diff.patch"
	MetaFile = "pr/meta.json"
)

// maxDiff bounds the diff in the workspace.
const maxDiff = 1 << 20

// sessionKey is where the session of a conversation is kept.
func sessionKey(token string) string { return "github:session:" + token }

// files are what the workspace of a new conversation about a pull request begins with,
// and what the model is told of them.
func (c *channel) files(ctx context.Context, d *Delivery, at *thread) ([]agent.SeedFile, string) {
	if !at.pull {
		return nil, ""
	}
	if c.held(ctx, d, at.token()) {
		return nil, fmt.Sprintf("%s and %s in the workspace are as of the beginning of this conversation.", DiffFile, MetaFile)
	}
	var files []agent.SeedFile
	var said []string
	add := func(name string, content []byte, note string, err error) {
		if err != nil {
			d.Log.Warn().Err(err).Str("thread", at.token()).Msg("fetching " + name)
			said = append(said, fmt.Sprintf("%s could not be fetched: %s.", name, strings.TrimRight(err.Error(), ".")))
			return
		}
		files = append(files, agent.SeedFile{Path: name, Content: content})
		said = append(said, note)
	}
	meta, metaErr := c.meta(ctx, d, at)
	var gone *unreachable
	if errors.As(metaErr, &gone) { // and so would the other one
		add(DiffFile+" and "+MetaFile, nil, "", metaErr)
		return nil, said[0]
	}
	diff, cut, err := c.diff(ctx, d, at)
	note := DiffFile + " in the workspace has the changes."
	if cut {
		note = fmt.Sprintf("%s in the workspace has the beginning of the changes, %d KiB: there are more.", DiffFile, maxDiff>>10)
	}
	add(DiffFile, diff, note, err)
	add(MetaFile, meta, MetaFile+" has what GitHub knows of the pull request.", metaErr)
	return files, strings.Join(said, " ")
}

// held says whether the conversation has a session already.
func (c *channel) held(ctx context.Context, d *Delivery, token string) bool {
	if d.KV == nil {
		return false
	}
	entry, found, err := d.KV.Get(ctx, sessionKey(token))
	var id string
	if err != nil || !found || json.Unmarshal(entry.Value, &id) != nil {
		return false
	}
	_, there, err := d.Sessions.Find(ctx, id)
	return err == nil && there
}

// remember keeps which session the conversation has. Where that is lost, the files are
// fetched once more for nothing.
func (c *channel) remember(ctx context.Context, d *Delivery, s agent.SendOptions, sent agent.Sent) {
	if s.Files == nil || d.KV == nil {
		return
	}
	id, _ := json.Marshal(sent.SessionID) // a string is always JSON
	if _, err := d.KV.Put(ctx, sessionKey(s.ContinuationToken), id, agent.PutOptions{}); err != nil {
		d.Log.Warn().Err(err).Msg("keeping the session of a pull request")
	}
}

func (c *channel) diff(ctx context.Context, d *Delivery, at *thread) (diff []byte, cut bool, err error) {
	r := at.pullRequest(d.Installation)
	r.accept = "application/vnd.github.diff"
	a, err := c.o.Client.do(ctx, r)
	if err != nil {
		return nil, false, err
	}
	if len(a.body) <= maxDiff {
		return a.body, false, nil
	}
	body := surface.Cut(string(a.body), maxDiff)
	return []byte(body[:strings.LastIndexByte(body, '\n')+1]), true, nil
}

// A meta is what MetaFile holds.
type meta struct {
	Repository   string   `json:"repository"`
	Number       int64    `json:"number"`
	URL          string   `json:"url"`
	Title        string   `json:"title"`
	Body         string   `json:"body"`
	State        string   `json:"state"`
	Draft        bool     `json:"draft"`
	Author       string   `json:"author"`
	Base         metaRef  `json:"base"`
	Head         metaRef  `json:"head"`
	Additions    int64    `json:"additions"`
	Deletions    int64    `json:"deletions"`
	ChangedFiles int64    `json:"changedFiles"`
	Commits      int64    `json:"commits"`
	Labels       []string `json:"labels"`
}

type metaRef struct {
	Ref        string `json:"ref"`
	SHA        string `json:"sha"`
	Repository string `json:"repository"`
}

func (c *channel) meta(ctx context.Context, d *Delivery, at *thread) ([]byte, error) {
	var p wirePull
	if err := c.o.Client.ask(ctx, at.pullRequest(d.Installation), nil, &p); err != nil {
		return nil, err
	}
	ref := func(r wireRef) metaRef { return metaRef{r.Ref, r.SHA, r.Repo.FullName} }
	b, err := json.MarshalIndent(meta{
		Repository: at.owner + "/" + at.repo, Number: p.Number, URL: p.URL, Title: p.Title, Body: p.Body, State: p.State, Draft: p.Draft,
		Author: p.User.Login, Base: ref(p.Base), Head: ref(p.Head), Additions: p.Additions, Deletions: p.Deletions,
		ChangedFiles: p.ChangedFiles, Commits: p.Commits, Labels: p.labels(),
	}, "", "  ")
	return append(b, '\n'), err
}

// pullRequest asks for the pull request itself.
func (t thread) pullRequest(installation int64) *request {
	return &request{method: http.MethodGet, path: fmt.Sprintf("%s/pulls/%d", t.repoPath(), t.number), installation: installation}
}

package github

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gobdk/bdk/actors/surface"
)

// A posted comment, as the API gives it.
type posted struct {
	ID   int64  `json:"id"`
	Body string `json:"body"`
}

// mark is an invisible line by which a comment is found again. Nobody can guess it
// who does not know the session's id.
func mark(kind, key string) string { return hidden + kind + " " + surface.Digest(key) + " -->" }

// Bounds of comments, in bytes. GitHub takes 65,536 characters; what is left is for the
// mark and for fences that are closed and opened again.
const (
	maxComment = 60_000
	maxParts   = 10
)

// comment posts one comment with its mark.
func (c *channel) comment(ctx context.Context, t thread, text, mark string) error {
	_, err := c.post(ctx, t, text, mark)
	return err
}

func (c *channel) post(ctx context.Context, t thread, text, mark string) (int64, error) {
	var made posted
	r := &request{method: http.MethodPost, path: t.commentsPath()}
	err := c.o.Client.ask(ctx, r, map[string]string{"body": text + "\n\n" + mark}, &made)
	return made.ID, err
}

func (t thread) commentsPath() string {
	return fmt.Sprintf("%s/issues/%d/comments", t.repoPath(), t.number)
}

// Pages that are searched for a comment.
const (
	pageSize = 100
	maxPages = 10
)

// find gives the comments of a thread since a time that bear one of the marks, by
// their marks. The time is taken wide, since clocks differ.
func (c *channel) find(ctx context.Context, t thread, since time.Time, marks ...string) (map[string]int64, error) {
	found := map[string]int64{}
	q := url.Values{"since": {since.Add(-time.Hour).UTC().Format(time.RFC3339)}, "per_page": {strconv.Itoa(pageSize)}}
	for page := 1; page <= maxPages; page++ {
		q.Set("page", strconv.Itoa(page))
		var list []posted
		if err := c.o.Client.ask(ctx, &request{method: http.MethodGet, path: t.commentsPath(), query: q}, nil, &list); err != nil {
			return nil, err
		}
		for _, p := range list {
			for _, m := range marks {
				if strings.Contains(p.Body, m) {
					found[m] = p.ID
				}
			}
		}
		if len(list) < pageSize {
			break
		}
	}
	return found, nil
}

// deliver posts a text as comments, each once: those that an earlier try has posted are
// found by their marks.
func (c *channel) deliver(ctx context.Context, t thread, text, key string, at time.Time) error {
	parts := surface.Split(text, maxComment, maxParts)
	marks := make([]string, len(parts))
	for i := range parts {
		marks[i] = mark("reply", key+"/"+strconv.Itoa(i))
	}
	found, err := c.find(ctx, t, at, marks...)
	if err != nil {
		return fmt.Errorf("looking for the reply on %s: %w", t, err)
	}
	for i, part := range parts {
		if found[marks[i]] != 0 {
			continue
		}
		if err := c.comment(ctx, t, part, marks[i]); err != nil {
			return fmt.Errorf("posting the reply on %s: %w", t, err)
		}
	}
	return nil
}

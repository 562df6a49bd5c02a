package cli

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/gobdk/bdk/internal/client"
)

// A hostArchive asks the agents of a running host.
type hostArchive []*client.Client

func (h hostArchive) list(ctx context.Context, q client.Query) ([]client.Session, error) {
	var all []client.Session
	for _, c := range h {
		rows, err := listAll(ctx, c, q)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	slices.SortStableFunc(all, func(a, b client.Session) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
	return all[:min(len(all), q.Limit)], nil
}

// pageSize is the most rows that one request gives.
const pageSize = 200

// listAll takes page after page until there are enough.
func listAll(ctx context.Context, c *client.Client, q client.Query) ([]client.Session, error) {
	var all []client.Session
	want := q.Limit
	for {
		q.Limit = min(want-len(all), pageSize)
		rows, cursor, err := c.Sessions(ctx, q)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
		if cursor == "" || len(all) >= want {
			return all, nil
		}
		q.Cursor = cursor
	}
}

func (h hostArchive) show(ctx context.Context, id string) (client.Session, bool, error) {
	_, row, err := h.find(ctx, id)
	if errors.Is(err, errNoSession) {
		return client.Session{}, false, nil
	}
	return row, err == nil, err
}

var errNoSession = errors.New("no such session")

// find gives the agent that has the session.
func (h hostArchive) find(ctx context.Context, id string) (*client.Client, client.Session, error) {
	for _, c := range h {
		row, _, err := c.Session(ctx, id)
		if !client.HasCode(err, client.CodeUnknownSession) {
			return c, row, err
		}
	}
	return nil, client.Session{}, errNoSession
}

func (h hostArchive) approvals(ctx context.Context, id string) ([]client.Approval, error) {
	c, _, err := h.find(ctx, id)
	if err != nil {
		return nil, err
	}
	return c.Approvals(ctx, id)
}

func (h hostArchive) events(ctx context.Context, id string, from uint64, follow bool) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		c, _, err := h.find(ctx, id)
		if err != nil {
			yield(nil, err)
			return
		}
		for e, err := range c.Stream(ctx, id, client.StreamQuery{From: from, Once: !follow}) {
			if !yield(e.Line, err) {
				return
			}
		}
	}
}

package cli

import (
	"context"
	"errors"
	"iter"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/internal/client"
	"github.com/gobdk/bdk/projections"
)

// A rootArchive reads the state root itself, which this process has locked: so
// nothing can be added while it reads.
type rootArchive struct {
	journal *journal.Journal
	views   *projections.Views
	slug    string
}

func (r *rootArchive) list(ctx context.Context, q client.Query) ([]client.Session, error) {
	var all []client.Session
	query := projections.SessionQuery{Agent: r.slug, Text: q.Text, Purpose: q.Purpose, Status: q.Status}
	for {
		query.Limit = min(q.Limit-len(all), pageSize)
		rows, cursor, err := r.views.Sessions(ctx, query)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
		if cursor == "" || len(all) >= q.Limit {
			return all, nil
		}
		query.Cursor = cursor
	}
}

func (r *rootArchive) show(ctx context.Context, id string) (client.Session, bool, error) {
	if !events.IsSessionID(id) {
		return client.Session{}, false, nil
	}
	return r.views.Session(ctx, id)
}

func (r *rootArchive) approvals(ctx context.Context, id string) ([]client.Approval, error) {
	return r.views.Approvals(ctx, id)
}

func (r *rootArchive) events(ctx context.Context, id string, from uint64, _ bool) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		journalLines(ctx, r.journal, id, from, yield)
	}
}

func (r *rootArchive) close(ctx context.Context) error {
	return errors.Join(r.views.Close(context.WithoutCancel(ctx)), r.journal.Close())
}

// An emptyArchive is that of a state root that was never used.
type emptyArchive struct{}

func (emptyArchive) list(context.Context, client.Query) ([]client.Session, error) { return nil, nil }
func (emptyArchive) show(context.Context, string) (client.Session, bool, error) {
	return client.Session{}, false, nil
}
func (emptyArchive) approvals(context.Context, string) ([]client.Approval, error) { return nil, nil }
func (emptyArchive) events(context.Context, string, uint64, bool) iter.Seq2[[]byte, error] {
	return func(func([]byte, error) bool) {}
}

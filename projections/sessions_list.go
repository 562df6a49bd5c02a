package projections

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// defaultLimit is how many rows a page has when the query does not say.
const defaultLimit = 50

// A SessionQuery selects rows. Zero fields do not narrow.
type SessionQuery struct {
	Agent string
	// Owner narrows to one principal, compared field by field; nil: all.
	Owner *events.Principal
	// Text is looked for in the id and in what a row is called, without regard to case: the
	// title, or where there is none the last message without the marks of Markdown. Any white
	// space is one space.
	Text    string
	Purpose string
	Status  string
	// Limit is the length of a page. Defaults to 50.
	Limit int
	// Cursor is what the page before gave; empty: from the start.
	Cursor string
}

// Sessions lists newest-updated first. The cursor leads to the next page and is
// empty at the end; over all pages a session that did not change meanwhile comes
// exactly once. A malformed cursor is ErrCursor.
func (v *Views) Sessions(ctx context.Context, q SessionQuery) (rows []SessionRow, cursor string, err error) {
	from, to, err := q.bounds()
	if err != nil {
		return nil, "", err
	}
	limit := q.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	q.Text = oneLine(strings.ToLower(q.Text))
	rows = make([]SessionRow, 0, min(limit, defaultLimit))
	var last uint64
	for kv, err := range v.Reader(nameSessions).Scan(from, to, true) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, "", fmt.Errorf("projections: listing sessions: %w", err)
		}
		s, err := q.match(kv)
		if err != nil {
			return nil, "", err
		}
		if s == nil {
			continue
		}
		if len(rows) == limit {
			return rows, encodeCursor(last), nil
		}
		rows, last = append(rows, s.shown(v.prices)), s.position
	}
	return rows, "", nil
}

// bounds are the keys of a page: all that were updated before the cursor's row.
func (q *SessionQuery) bounds() (from, to []byte, err error) {
	from, to = []byte{'u'}, []byte{'u' + 1}
	if q.Cursor == "" {
		return from, to, nil
	}
	before, err := decodeCursor(q.Cursor)
	return from, updatedKey(before), err
}

// match gives nil for a row that the query leaves out.
func (q *SessionQuery) match(kv journal.KV) (*sessionState, error) {
	var r SessionRow
	u := unpacker{b: kv.Value}
	r.unpackFilters(&u)
	if u.short || len(kv.Key) != 9 {
		return nil, errRow
	}
	wanted := q.selects(&r) && q.names(&r, &u)
	if u.short {
		return nil, errRow
	}
	if !wanted {
		return nil, nil
	}
	s, err := decodeSession(binary.BigEndian.Uint64(kv.Key[1:]), kv.Value)
	if err != nil || s.copying {
		return nil, err
	}
	return s, nil
}

func (q *SessionQuery) selects(r *SessionRow) bool {
	return (q.Owner == nil || *q.Owner == r.Principal) &&
		(q.Agent == "" || q.Agent == r.Agent) &&
		(q.Purpose == "" || q.Purpose == r.Purpose) &&
		(q.Status == "" || q.Status == r.Status)
}

// names says whether the text is in the row's id or name. It reads on where there is no title.
func (q *SessionQuery) names(r *SessionRow, u *unpacker) bool {
	if q.Text == "" || strings.Contains(strings.ToLower(r.ID), q.Text) {
		return true
	}
	if oneLine(r.Title) == "" {
		u.strs(&r.ChannelID, &r.Mode, &r.LastMessage)
	}
	return strings.Contains(strings.ToLower(name(r.Title, r.LastMessage)), q.Text)
}

// Session gives one row; ok is false for a session that the view does not know,
// or that was deleted.
func (v *Views) Session(ctx context.Context, id string) (row SessionRow, ok bool, err error) {
	r := v.Reader(nameSessions)
	for {
		if err := ctx.Err(); err != nil {
			return SessionRow{}, false, fmt.Errorf("projections: reading a session: %w", err)
		}
		at, ok, err := r.Get(idKey(id))
		if err != nil || !ok {
			return SessionRow{}, false, err
		}
		if len(at) != 8 {
			return SessionRow{}, false, errRow
		}
		position := binary.BigEndian.Uint64(at)
		b, ok, err := r.Get(updatedKey(position))
		if err != nil {
			return SessionRow{}, false, err
		}
		if !ok {
			continue // an event moved the row between the two reads
		}
		s, err := decodeSession(position, b)
		if err != nil || s.copying {
			return SessionRow{}, false, err
		}
		return s.shown(v.prices), true, nil
	}
}

// shown is the row with its cost as it is known now.
func (s *sessionState) shown(p Prices) SessionRow {
	row := s.row
	row.Cost = s.money.cost(p)
	return row
}

// A cursor is the position of the last row of a page and a checksum, in base 64.
func encodeCursor(position uint64) string {
	b := binary.BigEndian.AppendUint64(nil, position)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	return base64.RawURLEncoding.EncodeToString(b)
}

func decodeCursor(s string) (uint64, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(b) != 12 || binary.BigEndian.Uint32(b[8:]) != crc32.ChecksumIEEE(b[:8]) {
		return 0, ErrCursor
	}
	return binary.BigEndian.Uint64(b), nil
}

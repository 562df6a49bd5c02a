package transport

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"github.com/gobdk/bdk/actors/agent"
)

// checkQuery refuses parameters that the route does not take.
func (c *call) checkQuery() error {
	if c.r.URL.RawQuery == "" {
		return nil
	}
	values, err := url.ParseQuery(c.r.URL.RawQuery)
	if err != nil {
		return refuse("invalid_query", "the query string cannot be read")
	}
	q := &query{values: values}
	for name := range values {
		if !slices.Contains(c.route.query, name) {
			q.note(name, "this route does not take this parameter")
		}
	}
	c.params = values
	return q.err()
}

// query gives readers over the parameters.
func (c *call) query() *query { return &query{values: c.params} }

// A query reads parameters and notes what is wrong with them.
type query struct {
	values url.Values
	issues []agent.Issue
}

func (q *query) note(name, message string) {
	q.issues = append(q.issues, agent.Issue{Path: name, Message: message})
}

// err gives what was noted, nil when all is well.
func (q *query) err() error {
	if len(q.issues) == 0 {
		return nil
	}
	return &problem{code: "invalid_query", message: q.issues[0].Path + ": " + q.issues[0].Message, issues: q.issues}
}

// text reads a parameter that may be there once.
func (q *query) text(name string) (string, bool) {
	v := q.values[name]
	if len(v) > 1 {
		q.note(name, "is there more than once")
	}
	if len(v) == 0 {
		return "", false
	}
	return v[0], true
}

// number reads a plain non-negative integer.
func (q *query) number(name string, otherwise uint64) uint64 {
	s, ok := q.text(name)
	if !ok {
		return otherwise
	}
	n, ok := plainInteger(s)
	if !ok {
		q.note(name, "must be a plain non-negative integer")
	}
	return n
}

// oneOf reads a parameter out of a list; empty when it is not there.
func (q *query) oneOf(name string, values ...string) string {
	s, ok := q.text(name)
	if ok && !slices.Contains(values, s) {
		q.note(name, "is none of its values")
	}
	return s
}

// plainInteger reads digits without a sign, a leading zero, or more than 63 bits.
func plainInteger(s string) (uint64, bool) {
	if s == "" || !isDigit(s[0]) || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 63)
	return n, err == nil
}

// between reads an integer in a range.
func (q *query) between(name string, least, most, otherwise uint64) uint64 {
	n := q.number(name, otherwise)
	if n < least || n > most {
		q.note(name, fmt.Sprintf("must be from %d to %d", least, most))
	}
	return n
}

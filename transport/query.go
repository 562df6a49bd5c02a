package transport

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
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
			q.note(pathStep(name), "this route does not take this parameter")
		}
	}
	c.params = values
	return q.err()
}

// query gives readers over the parameters.
func (c *call) query() *query { return &query{values: c.params} }

// A query reads parameters and notes what is wrong with them.
type query struct {
	faultList
	values url.Values
}

// err gives what was noted, nil when all is well.
func (q *query) err() error { return q.problem("invalid_query") }

// text reads a parameter that may be there once.
func (q *query) text(name string) (string, bool) {
	switch v := q.values[name]; len(v) {
	case 0:
		return "", false
	case 1:
		return v[0], true
	}
	q.note(name, "is there more than once")
	return "", false
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
		return otherwise
	}
	return n
}

// oneOf reads a parameter out of a list; empty when it is not there.
func (q *query) oneOf(name string, values ...string) string {
	s, ok := q.text(name)
	if ok && !slices.Contains(values, s) {
		q.note(name, oneOfThese(values))
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
	s, ok := q.text(name)
	if !ok {
		return otherwise
	}
	n, ok := plainInteger(s)
	if !ok || n < least || n > most {
		q.note(name, fmt.Sprintf("must be an integer from %d to %d", least, most))
	}
	return n
}

package eval

import (
	"crypto/rand"
	"regexp"
	"time"
)

// letters leave out those that people mistake for others.
const letters = "abcdefghjkmnpqrstuvwxyz23456789"

// NewRunID gives an id of a run that starts now: ids sort by time, to the second.
func NewRunID(now time.Time) string {
	b := make([]byte, 4)
	_, _ = rand.Read(b) // it never fails
	for i := range b {
		b[i] = letters[int(b[i])%len(letters)]
	}
	return now.UTC().Format("20060102-150405") + "-" + string(b)
}

var runID = regexp.MustCompile(`^\d{8}-\d{6}-[a-z0-9]{4}$`)

// IsRunID says whether a text has the form of a run's id.
func IsRunID(s string) bool { return runID.MatchString(s) }

package transport

import (
	"regexp"
	"strings"
	"time"
)

// instantForm is an ISO-8601 date and time with a zone. Seconds may be missing.
var instantForm = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$`)

// instantLayouts are the forms that instantForm leaves, with a comma made a dot.
var instantLayouts = []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z0700"}

// parseInstant reads an instant; a date or an hour that does not exist is none.
func parseInstant(s string) (time.Time, bool) {
	if !instantForm.MatchString(s) {
		return time.Time{}, false
	}
	s = strings.Replace(s, ",", ".", 1)
	for _, layout := range instantLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

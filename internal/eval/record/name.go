package record

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
)

// longName is how long a name may be that nobody chose.
const longName = 40

// name makes an id of what the session is about: small letters, digits and dashes.
func (s *session) name(o *Options) string {
	about := s.start.Title
	if about == "" {
		about = s.turns[0].text()
	}
	var b strings.Builder
	for _, word := range strings.FieldsFunc(strings.ToLower(o.Redactor.Text(about)), func(r rune) bool {
		return r >= unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if b.Len()+len(word) >= longName {
			break
		}
		if b.Len() > 0 {
			b.WriteByte('-')
		}
		b.WriteString(word)
	}
	if b.Len() == 0 {
		return strings.ToLower(s.id)
	}
	return b.String()
}

// number is a whole number as a value.
func number(n int) json.Number { return json.Number(strconv.Itoa(n)) }

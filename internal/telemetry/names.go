package telemetry

import (
	"strings"
	"unicode/utf8"
)

// Bounds of what a user's measurement may carry.
const (
	maxNameBytes  = 200
	maxKeyBytes   = 64
	maxValueBytes = 128
	maxTags       = 10
)

// cleanName gives the name under which a user's metric is kept: letters, digits and
// "_./-", beginning with a letter. Everything else becomes "_". Empty with a reason
// when it cannot be a name.
func cleanName(name string) (clean, refused string) {
	switch {
	case name == "":
		return "", "it has no name"
	case len(name) > maxNameBytes:
		return "", "its name is too long"
	case !letter(name[0]):
		return "", "its name does not begin with a letter"
	}
	clean = strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (letter(byte(r)) || digit(byte(r)) || strings.ContainsRune("_./-", r)) {
			return r
		}
		return '_'
	}, name)
	if under := underscored(clean); strings.HasPrefix(under, "bdk_") || strings.HasPrefix(under, "target_info") {
		return "", "names that begin with bdk or target_info are the host's own"
	}
	return clean, ""
}

// family is the name that a metric has for Prometheus, which joins names that differ
// in their dots alone.
func family(name string, k kind) string {
	name = underscored(name)
	if k == counter {
		return strings.TrimSuffix(name, "_total") + "_total"
	}
	return name
}

// underscored has one "_" for each run of other characters than letters and digits.
func underscored(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf || !letter(byte(r)) && !digit(byte(r)) })
	return strings.Join(words, "_")
}

// cleanKey gives the name of a tag; one that would stand for something else gets "tag_" before it.
func cleanKey(key string) string {
	key = cut(strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (letter(byte(r)) || digit(byte(r)) || r == '.') {
			return r
		}
		return '_'
	}, key), maxKeyBytes)
	under := underscored(key)
	if key == "" || !letter(key[0]) || under == "le" || under == "quantile" || strings.HasPrefix(under, "bdk_") || strings.HasPrefix(under, "otel_") {
		return "tag_" + key
	}
	return key
}

// cut shortens a text to n bytes at most, and never leaves half a character.
func cut(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

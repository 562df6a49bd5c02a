package scripted

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors/model"
)

const bytesPerToken = 4

// tokens is a token per four bytes, rounded up.
func tokens(s string) int64 { return model.TokensOf(len(s)) }

// limit cuts on a character what is longer than so many tokens; 0 is no limit.
func limit(s string, maxTokens int) (text string, cut bool) {
	if maxTokens <= 0 || len(s) <= maxTokens*bytesPerToken {
		return s, false
	}
	n := maxTokens * bytesPerToken
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n], true
}

// words gives s in pieces that end where a word begins, so that joined they are s.
func words(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start, space := 0, false
		for i, r := range s {
			if space && !unicode.IsSpace(r) {
				if !yield(s[start:i]) {
					return
				}
				start = i
			}
			space = unicode.IsSpace(r)
		}
		if start < len(s) {
			yield(s[start:])
		}
	}
}

// commands reads lines of "/call <tool> {json}"; nil when text is none. The JSON
// may go over several lines and is given on as it is, right or wrong.
func commands(text string) []model.RequestedCall {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "/call ")
	if !ok {
		return nil
	}
	var calls []model.RequestedCall
	for part := range strings.SplitSeq(rest, "\n/call ") {
		name, args, _ := strings.Cut(strings.TrimSpace(part), " ")
		if args = strings.TrimSpace(args); args == "" {
			args = "{}"
		}
		calls = append(calls, model.RequestedCall{Name: name, Args: args})
	}
	return calls
}

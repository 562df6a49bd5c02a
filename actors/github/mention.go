package github

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors/surface"
)

var (
	codeSpan    = regexp.MustCompile("`+[^`\n]*`+")
	htmlComment = regexp.MustCompile(`(?s)<!--.*?(-->|$)`)
)

// mentions says whether a text mentions a login: outside of code, of quotations of
// others and of hidden comments.
func mentions(text, login string) bool {
	login = strings.TrimSuffix(strings.TrimPrefix(login, "@"), botEnding)
	if login == "" {
		return false
	}
	text = strings.ToLower(spokenText(text))
	for at := "@" + strings.ToLower(login); ; {
		i := strings.Index(text, at)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(at):])
		if (i == 0 || !inName(before) && before != '/' && before != '.') && !inName(after) && after != '/' {
			return true
		}
		text = text[i+len(at):]
	}
}

func inName(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' || r == '@')
}

// spokenText leaves out what the author did not say: fenced blocks, quoted lines,
// code and comments.
func spokenText(text string) string {
	var kept strings.Builder
	fence := ""
	for line := range strings.Lines(htmlComment.ReplaceAllString(text, " ")) {
		bare := strings.TrimSpace(line)
		mark := surface.FenceMark(bare)
		switch {
		case fence == "" && mark != "":
			fence = mark
		case fence != "":
			if strings.HasPrefix(mark, fence) && strings.Trim(bare, mark[:1]) == "" {
				fence = ""
			}
		case !strings.HasPrefix(bare, ">"):
			kept.WriteString(codeSpan.ReplaceAllString(line, " "))
		}
	}
	return kept.String()
}

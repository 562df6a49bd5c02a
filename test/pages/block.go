package pages

import (
	"regexp"
	"strings"
)

// A Block is a fenced piece of code of a page.
type Block struct {
	// From and Name are what a comment right above says: file or from, and of which.
	From, Name string
	Language   string
	Text       string
	// Line is that of its first fence, from 1.
	Line int
}

var block = regexp.MustCompile("(?ms)(?:^<!-- (file|from): (\\S+) -->\n+)?^```([^\n`]*)\n(.*?)^```$")

// Blocks gives all of a page's Markdown, in order.
func Blocks(markdown string) (all []Block) {
	text := func(m []int, group int) string {
		if m[2*group] < 0 {
			return ""
		}
		return markdown[m[2*group]:m[2*group+1]]
	}
	for _, m := range block.FindAllStringSubmatchIndex(markdown, -1) {
		fence := m[0] + strings.Index(markdown[m[0]:], "```")
		all = append(all, Block{From: text(m, 1), Name: text(m, 2), Language: text(m, 3), Text: text(m, 4), Line: 1 + strings.Count(markdown[:fence], "\n")})
	}
	return all
}

// CommandLines gives the words of each call of a program in the lines of a shell, as far as
// they can be known without running it: a variable, and what a command prints, is one word.
func CommandLines(program, script string) (calls [][]string) {
	for _, part := range parts(strings.ReplaceAll(script, "\\\n", " ")) {
		words := part
		for len(words) > 0 && assignment.MatchString(words[0]) {
			words = words[1:]
		}
		if len(words) > 0 && words[0] == program {
			calls = append(calls, words[1:])
		}
	}
	return calls
}

var (
	assignment = regexp.MustCompile(`^[A-Z_]+=`)
	// A piece of a shell's line: a comment, what divides commands, a redirection with its
	// file, or a word.
	piece = regexp.MustCompile(`(#[^\n]*)|(&&|\|\||[|;&\n()]|\$\()|([0-9]*>>?\s*[^\s;&|]+)|((?:'[^']*'|"(?:\$\([^)]*\)|[^"])*"|[^\s'"|;&()<>#]|\b#)+)`)
)

// parts gives the words of each command; what stands in the place of another one's words
// comes before it.
func parts(script string) (all [][]string) {
	open := [][]string{nil}
	for _, m := range piece.FindAllStringSubmatch(script, -1) {
		last := len(open) - 1
		switch {
		case m[2] == "$(":
			open[last] = append(open[last], m[2])
			open = append(open, nil)
		case m[2] == ")" && last > 0:
			all, open = append(all, open[last]), open[:last]
		case m[2] != "":
			all, open[last] = append(all, open[last]), nil
		case m[4] != "":
			open[last] = append(open[last], strings.NewReplacer(`"`, "", "'", "").Replace(m[4]))
		}
	}
	return append(all, open...)
}

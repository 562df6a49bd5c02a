package docs

import (
	"html"
	"regexp"
	"strings"
)

// A grammar says what of a language stands out: its comments, texts, numbers, words.
// Enough for the samples of these pages, in a few lines instead of megabytes.
type grammar struct {
	token *regexp.Regexp
	words map[string]bool
}

// classes are those of the groups of a grammar's token, in order.
var classes = []string{"comment", "key", "text", "number", "word"}

var (
	tsWords = words(`abstract any as async await boolean break case catch class const continue default delete do else enum export extends false finally for from
		function if implements import in infer instanceof interface keyof let namespace never new null number of private protected public readonly return satisfies
		static string super switch this throw true try type typeof undefined unknown var void while with yield`)
	goWords = words(`any bool break byte case chan const continue default defer else error fallthrough false float64 for func go goto if import int int64 interface
		iota len make map nil package range return rune select string struct switch true type uint64 var`)
	shWords   = words(`case cd do done echo elif else esac exit export fi for function if in kill then trap while`)
	jsonWords = words(`false null true yes no`)
)

var grammars = map[string]grammar{
	"ts":   {token(`//[^\n]*|/\*(?s:.*?)\*/`, "", `"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`+"`(?:\\\\.|[^`\\\\])*`"), tsWords},
	"go":   {token(`//[^\n]*|/\*(?s:.*?)\*/`, "", `"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`+"`[^`]*`"), goWords},
	"json": {token(`//[^\n]*`, `"(?:\\.|[^"\\\n])*"\s*:`, `"(?:\\.|[^"\\\n])*"`), jsonWords},
	"yaml": {token(`(?m:(?:^|\s)#[^\n]*$)`, `(?m:^[ \t]*(?:- )?[\w.-]+:(?:\s))`, `"(?:\\.|[^"\\\n])*"|'[^'\n]*'`), jsonWords},
	"sh":   {token(`(?m:(?:^|\s)#[^\n]*$)`, `\$\w+|\$\{[^}\n]*\}`, `"(?:\\.|[^"\\])*"|'[^']*'`), shWords},
	"md":   {token(`(?m:^#{1,6} [^\n]*$)`, `(?m:^[ \t]*(?:- )?[\w.-]+:(?:\s))`, "`[^`\n]*`"), nil},
}

// aliases are other names of the languages.
var aliases = map[string]string{"js": "ts", "tsx": "ts", "typescript": "ts", "jsonc": "json", "yml": "yaml", "bash": "sh", "shell": "sh", "markdown": "md"}

func words(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// token finds one thing that may stand out; a pattern may be empty for none.
func token(comment, key, text string) *regexp.Regexp {
	if key == "" {
		key = `[^\x00-\x{10FFFF}]`
	}
	return regexp.MustCompile(`(` + comment + `)|(` + key + `)|(` + text + `)|(\b\d[\d_.]*\b)|([A-Za-z_$][\w$]*)`)
}

// colour gives code as HTML in which what stands out has a class.
func colour(language, code string) string {
	language = strings.ToLower(language)
	if a := aliases[language]; a != "" {
		language = a
	}
	if language == "console" {
		return colourConsole(code)
	}
	g, ok := grammars[language]
	if !ok {
		return html.EscapeString(code)
	}
	var b strings.Builder
	g.paint(&b, code)
	return b.String()
}

func (g grammar) paint(b *strings.Builder, code string) {
	at := 0
	for _, m := range g.token.FindAllStringSubmatchIndex(code, -1) {
		b.WriteString(html.EscapeString(code[at:m[0]]))
		at = m[1]
		for i, class := range classes {
			if m[2*i+2] < 0 {
				continue
			}
			part := code[m[0]:m[1]]
			if class == "word" && !g.words[part] {
				class = ""
			}
			span(b, class, part)
		}
	}
	b.WriteString(html.EscapeString(code[at:]))
}

func span(b *strings.Builder, class, part string) {
	if class == "" {
		b.WriteString(html.EscapeString(part))
		return
	}
	b.WriteString(`<span class="tok-` + class + `">` + html.EscapeString(part) + `</span>`)
}

// colourConsole tells what is typed from what is printed. A command that ends in a
// backslash, or leaves a quote open, goes on in the next line.
func colourConsole(code string) string {
	var b strings.Builder
	going := ""
	for line := range strings.Lines(code) {
		command, typed := strings.CutPrefix(line, "$ ")
		switch {
		case going != "":
			going += line
		case typed:
			span(&b, "prompt", "$ ")
			going = command
		default:
			span(&b, "printed", line)
		}
		if going != "" && !strings.HasSuffix(strings.TrimRight(going, "\n"), `\`) && strings.Count(going, "'")%2 == 0 {
			grammars["sh"].paint(&b, going)
			going = ""
		}
	}
	grammars["sh"].paint(&b, going)
	return b.String()
}

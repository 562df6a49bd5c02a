package slack

import "testing"

// "mrkdwn conversion of Markdown basics"; what would call people stays text.
func TestMrkdwn(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"**bold** and __bold__":                    "*bold* and *bold*",
		"*it* and _it_ (*in*)":                     "_it_ and _it_ (_in_)",
		"2 * 3 * 4":                                "2 * 3 * 4",
		"snake_case_name":                          "snake_case_name",
		"~~gone~~":                                 "~gone~",
		"# Title":                                  "*Title*",
		"## **Title** ##":                          "*Title*",
		"- one\n  * two\n+ three":                  "• one\n  • two\n• three",
		"1. one":                                   "1. one",
		"[a **b**](https://x.example/?a=1&b=2)":    "<https://x.example/?a=1&amp;b=2|a *b*>",
		"![pic](https://x.example/p.png \"t\")":    "<https://x.example/p.png|pic>",
		"[x](javascript:alert)":                    "[x](javascript:alert)",
		"[a|b](https://x.example)":                 "<https://x.example|a/b>",
		"<!channel> <@U1> a < b && c":              "&lt;!channel&gt; &lt;@U1&gt; a &lt; b &amp;&amp; c",
		"`**x** <y>` **z**":                        "`**x** &lt;y&gt;` *z*",
		"```go\na := \"**b**\" // <x>\n```\n**c**": "```\na := \"**b**\" // &lt;x&gt;\n```\n*c*",
		"~~~\n```\n~~~":                            "```\n'''\n```",
		"> quote **b**":                            "> quote *b*",
		"**a** \x00 b":                             "*a*  b",
	} {
		if got := mrkdwn(in); got != want {
			t.Errorf("%q becomes\n%q, want\n%q", in, got, want)
		}
	}
}

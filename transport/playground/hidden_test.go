package playground

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
)

// S20: "bidi/zero-width characters are made visible": so is every other character without a
// shape of its own, but for what makes a sign a picture.
func TestVisible_WhatHasNoShape(t *testing.T) {
	l := newLogic(t, "format", "views/artifacts/kind")
	var all []rune
	for _, table := range []*unicode.RangeTable{unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Cc} {
		for _, r := range table.R16 {
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				all = append(all, c)
			}
		}
		for _, r := range table.R32 {
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				all = append(all, c)
			}
		}
	}
	for _, r := range all {
		// Marks of Arabic, Syriac, Egyptian and shorthand numbers are drawn; so are spaces.
		if unicode.Is(unicode.Prepended_Concatenation_Mark, r) || strings.ContainsRune("\t\n\r", r) || r >= 0x13430 && r <= 0x1343f {
			continue
		}
		l.want(fmt.Sprintf(`[visible("a" + String.fromCodePoint(%[1]d) + "b"), fileName("a" + String.fromCodePoint(%[1]d) + "b").length]`, r), fmt.Sprintf(`["a\\u{%x}b",3]`, r))
	}
	for text, want := range map[string]string{
		"⚠\ufe0f 1\ufe0f ❤\ufe0f": "⚠\ufe0f 1\ufe0f ❤\ufe0f", "a\ufe0f": `a\u{fe0f}`, "⚠\ufe0f\ufe0f": `⚠` + "\ufe0f" + `\u{fe0f}`, "é ü 日本 العربية \t\n": "é ü 日本 العربية \t\n",
	} {
		l.want("visible("+encode(t, text)+")", encode(t, want))
	}
}

// What a log calls something is found in no table of the page but where it was put, and is no
// step up in the path of a request.
func TestTable_HasWhatWasPutThere(t *testing.T) {
	l := newLogic(t, "table", "segment", "session", "label", "views/raw/summary")
	for expression, want := range map[string]string{
		`["constructor", "__proto__", "toString", "x"].map((k) => table({ x: 1 })[k] ?? null)`: `[null,null,null,1]`,
		`["a/b", "..", ".", "...", "é", "a.b"].map(segment)`:                                   `["a%2Fb","%252E%252E","%252E","...","%C3%A9","a.b"]`,
		`statusWords.constructor ?? null`:                                                      `null`,
		`["__proto__", "constructor"].map((type) => (new Session("s").take({ type, data: {}, index: 0, at: "" }), summary({ type, data: { a: 1 } })))`: `["{\"a\":1}","{\"a\":1}"]`,
	} {
		l.want(expression, want)
	}
}

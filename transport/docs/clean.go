package docs

import (
	"regexp"

	"github.com/microcosm-cc/bluemonday"
)

// cleaner lets through what the pages are made of, after they were rendered: what a
// renderer gets wrong stays out of them too.
var cleaner = newCleaner()

func newCleaner() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "pre", "code", "em", "strong", "blockquote", "br", "hr",
		"table", "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "div", "span")
	p.AllowAttrs("id").Matching(regexp.MustCompile(`^[a-z0-9_-]+$`)).OnElements("h1", "h2", "h3", "h4", "h5", "h6")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^(code|wide|here|short|language-[a-z0-9]*|tok-[a-z]+)$`)).OnElements("figure", "div", "a", "pre", "span", "code")
	p.AllowAttrs("role", "tabindex").Matching(regexp.MustCompile(`^(region|0)$`)).OnElements("div", "pre")
	p.AllowAttrs("aria-label").OnElements("a", "div")
	p.AllowAttrs("align").Matching(regexp.MustCompile(`^(left|right|center)$`)).OnElements("th", "td")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("https", "http", "mailto")
	p.AllowRelativeURLs(true)
	p.RequireParseableURLs(true)
	p.RequireNoReferrerOnFullyQualifiedLinks(true)
	p.AddTargetBlankToFullyQualifiedLinks(true)
	return p
}

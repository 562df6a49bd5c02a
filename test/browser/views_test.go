package browser

import (
	"strings"
	"testing"
)

// views gives the names of the views in the page's bar.
func views(t *testing.T, h *host) []string {
	t.Helper()
	b := newTab(t)
	b.open(h.page("chat"))
	b.until(`document.querySelectorAll("nav[aria-label=Views] a").length > 3`)
	var names []string
	for _, href := range value[[]string](b, `[...document.querySelectorAll("nav[aria-label=Views] a")].map((a) => a.getAttribute("href"))`) {
		names = append(names, strings.TrimPrefix(href, "#/"))
	}
	return names
}

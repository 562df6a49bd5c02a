package workspace

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold gives two names the same key when people, or some file system, take them for
// one.
func Fold(name string) string { return fold(name) }

// fold gives two paths the same key when some file system takes them for one: it
// ignores case, normal forms, compatibility forms and characters without a width.
func fold(p string) string {
	if ascii(p) {
		return strings.ToLower(p)
	}
	p = norm.NFKC.String(p)
	p = cases.Fold().String(p)
	p = strings.Map(dropInvisible, p)
	return norm.NFKC.String(p)
}

func ascii(p string) bool {
	for i := range len(p) {
		if p[i] >= 0x80 {
			return false
		}
	}
	return true
}

func dropInvisible(r rune) rune {
	if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) {
		return -1
	}
	return r
}

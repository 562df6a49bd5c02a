package project

import (
	"fmt"
	"regexp"
	"slices"
)

var slugForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// reservedSlugs are paths of the host's own.
var reservedSlugs = []string{"v1", "playground", "docs", "metrics"}

func checkSlug(r *report, slug string) {
	if !slugForm.MatchString(slug) {
		r.add(ruleSlug, project, fmt.Sprintf("the folder's name %q cannot be an agent's slug", slug),
			"rename the folder: letters, digits, \"-\" and \"_\" only, a letter or digit first")
		return
	}
	if slices.Contains(reservedSlugs, slug) {
		r.add(ruleReservedSlug, project, fmt.Sprintf("the folder's name %q is a path of the host itself", slug),
			"rename the folder, for example to "+slug+"-agent")
	}
}

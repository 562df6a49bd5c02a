package mcp

import (
	"regexp"
	"strings"
)

// separator stands between the parts of a name.
const separator = "__"

// maxName is how long a name that a provider takes may be.
const maxName = 64

var (
	goodName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)
	badRunes = regexp.MustCompile(`[^A-Za-z0-9_-]`)
	// joins are underscores that could be taken for a separator.
	joins = regexp.MustCompile(`_{2,}`)
)

// modelName is <connection>__<tool>, as providers take it. A name that has to be
// changed ends with a part of its hash, so that it depends on nothing but itself.
func modelName(connection, tool string) string {
	safe := strings.TrimLeft(joins.ReplaceAllString(badRunes.ReplaceAllString(tool, "_"), "_"), "_")
	name := connection + separator + safe
	if safe == tool && goodName.MatchString(name) {
		return name
	}
	if name = badRunes.ReplaceAllString(name, "_"); !goodName.MatchString(name[:1]) {
		name = "c" + name
	}
	end := "_" + hashOf(connection, tool)[:8]
	if most := maxName - len(end); len(name) > most {
		name = name[:most]
	}
	return strings.TrimRight(name, "_-") + end
}

package mcp

import (
	"strings"
	"testing"
)

// "Names that providers refuse are made safe in one fixed way that does not depend on connect order"
func TestModelName(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 70)
	for _, c := range []struct{ connection, tool, want string }{
		{"github", "list_issues", "github__list_issues"},
		{"x__github", "list-issues", "x__github__list-issues"},
		{"files", "a.b/c", "files__a_b_c_" + hashOf("files", "a.b/c")[:8]},
		{"files", "🚀launch", "files__launch_" + hashOf("files", "🚀launch")[:8]},
		{"files", "🚀", "files_" + hashOf("files", "🚀")[:8]},
		{"files", long, "files__" + long[:48] + "_" + hashOf("files", long)[:8]},
		{"7up", "drink", "c7up__drink_" + hashOf("7up", "drink")[:8]},
		{"a", "b__c", "a__b_c_" + hashOf("a", "b__c")[:8]},
		{"a", "_b", "a__b_" + hashOf("a", "_b")[:8]},
	} {
		got := modelName(c.connection, c.tool)
		if got != c.want || !goodName.MatchString(got) {
			t.Errorf("%s, %s: got %s, want %s", c.connection, c.tool, got, c.want)
		}
	}
	// What is joined in two ways has two names.
	for _, pair := range [][4]string{{"a", "b__c", "a__b", "c"}, {"a", "_b", "a_", "b"}, {"a", "a.b", "a", "a/b"}, {"a", long + "1", "a", long + "2"}} {
		if modelName(pair[0], pair[1]) == modelName(pair[2], pair[3]) {
			t.Errorf("%v have one name", pair)
		}
	}
}

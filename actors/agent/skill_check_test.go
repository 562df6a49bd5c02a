package agent

import (
	"strings"
	"testing"
)

// At most 64 letters, digits, -, _ and ., of any script, a letter or a digit first.
func TestSkillName(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 64)
	for name, want := range map[string]bool{
		"a": true, "7": true, "house-style": true, "v1.2_x": true, "ночь": true, "e\u0301te": true, "Ⅷ": true, long: true,
		"": false, long + "a": false, "-a": false, ".git": false, "_x": false, "\u0301a": false, "a b": false, "a/b": false, "a\xff": false, "a\u200b": false, "a\n": false,
	} {
		if SkillName(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

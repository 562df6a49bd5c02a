package surface

import (
	"fmt"
	"strings"
	"testing"
)

// "split when long": parts keep to their size, lose nothing, and leave no block of code open.
func TestSplit(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "Paragraph %d, é.\n\n", i)
		if i%10 == 0 {
			fmt.Fprintf(&text, "```go\n%s```\n\n", strings.Repeat(fmt.Sprintf("code(%d)\n", i), 40))
		}
	}
	parts := Split(text.String(), 1000, 100)
	joined := strings.Join(parts, "\n")
	for i, p := range parts {
		if len(p) > 1000 || strings.Count(p, "```")%2 != 0 {
			t.Errorf("part %d has %d bytes and %d fences", i, len(p), strings.Count(p, "```"))
		}
	}
	for i := range 200 {
		if strings.Count(joined, fmt.Sprintf("Paragraph %d,", i)) != 1 {
			t.Errorf("paragraph %d is not there once", i)
		}
		if want := 40; i%10 == 0 && strings.Count(joined, fmt.Sprintf("code(%d)", i)) != want {
			t.Errorf("the code of %d is not whole", i)
		}
	}
	if long := Split(strings.Repeat("x", 5000), 1000, 100); strings.Join(long, "") != strings.Repeat("x", 5000) {
		t.Errorf("a long word is not kept: %d parts", len(long))
	}
	if cut := Split(text.String(), 1000, 3); len(cut) != 3 || !strings.HasSuffix(cut[2], "the rest was left out.)") {
		t.Errorf("%d parts are given where 3 are the most", len(cut))
	}
	if none := Split(" \n ", 1000, 3); len(none) != 0 {
		t.Errorf("nothing gives %q", none)
	}
}

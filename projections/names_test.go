package projections

import (
	"encoding/json"
	"os"
	"testing"
)

// "Find yesterday's session": what a list calls a session without a title is what a search
// looks in. The playground's own test takes the same table.
func TestSessions_AreNamedWithoutMarks(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../transport/playground/testdata/names.json")
	if err != nil {
		t.Fatal(err)
	}
	var table [][2]string
	if err := json.Unmarshal(text, &table); err != nil || len(table) == 0 {
		t.Fatal(err)
	}
	for _, row := range table {
		if got := oneLine(unmarked(row[0])); got != row[1] {
			t.Errorf("%q is looked for as %q, want %q", row[0], got, row[1])
		}
	}
}

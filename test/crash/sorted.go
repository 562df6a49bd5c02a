//go:build failpoints

package crash

import (
	"encoding/json"
	"slices"
	"strings"
)

// sorted gives values as JSON lines in one order.
func sorted(values []any) (string, error) {
	lines := make([]string, len(values))
	for i, v := range values {
		b, err := json.Marshal(v)
		if err != nil {
			return "", err
		}
		lines[i] = string(b)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n"), nil
}

package project

import (
	"strings"

	"github.com/gobdk/bdk/internal/script"
)

// forgotten gives the import that would mend an error, where that is a name of the package
// that nobody imported; else it is empty.
func forgotten(message string) string {
	name, ok := strings.CutSuffix(strings.TrimPrefix(message, "'"), "' is not defined")
	if home := script.EntryOf(name); ok && home != "" {
		return "import { " + name + ` } from "` + home + `"`
	}
	return ""
}

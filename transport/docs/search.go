package docs

import (
	"encoding/json"
	"fmt"
	"strings"
)

// An entry is a page as the search sees it.
type entry struct {
	Page  string `json:"page"`
	Title string `json:"title"`
	Label string `json:"label"`
	Area  string `json:"area"`
	// Reference marks pages that name everything: those that explain it come first.
	Reference bool      `json:"reference,omitempty"`
	Sections  []section `json:"sections"`
}

// index gives what the browser searches in.
func index(pages []*page) ([]byte, error) {
	entries := make([]entry, len(pages))
	for i, p := range pages {
		entries[i] = entry{Page: p.Name, Title: p.Title, Label: p.Label, Area: p.Area, Reference: references[p.Name], Sections: p.sections}
	}
	b, err := json.Marshal(entries)
	if err != nil {
		return nil, fmt.Errorf("writing the index of the search: %w", err)
	}
	return b, nil
}

// llms gives the list of pages for programs that read them.
func llms(pages []*page) []byte {
	var b strings.Builder
	b.WriteString("# bdk\n\n> " + about + " Each page below is Markdown.\n")
	before := ""
	for _, p := range pages {
		if p.Area != before {
			fmt.Fprintf(&b, "\n## %s\n\n", p.Area)
			before = p.Area
		}
		fmt.Fprintf(&b, "- [%s](%s.md): %s\n", p.Title, p.Link(), p.About)
	}
	return []byte(b.String())
}

// about says what all of this is.
const about = "bdk hosts AI agents: an agent is a folder of files, with instructions in Markdown and tools in TypeScript, and each of its conversations is a log on disk."

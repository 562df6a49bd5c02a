package harness

import (
	"context"
	"fmt"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
)

// maxListed is how many names one answer lists.
const maxListed = 1000

type lsInput struct {
	Path string `json:"path,omitempty" jsonschema:"The folder, relative to the workspace, which is also the default."`
}

func (h *tools) ls() *agent.Tool {
	return tool("ls", "Lists a folder of the workspace by name: folders with a slash after them, files with their size.", h.listFolder, nil)
}

func (h *tools) listFolder(ctx context.Context, in lsInput, c *agent.Call) (string, error) {
	v, err := h.open(ctx, c)
	if err != nil {
		return "", err
	}
	defer v.close()
	p, err := v.clean(in.Path)
	if err != nil {
		return "", err
	}
	p = v.find(p)
	if v.exists(p) && !v.isDir(p) && p != "" {
		return "", fmt.Errorf("listing %q: it is no folder; read shows it", p)
	}
	entries, err := v.entries(p)
	if err != nil {
		return "", v.explain("listing", p, err)
	}
	for i := range entries[:min(len(entries), maxListed)] {
		entries[i] = v.sized(p, entries[i])
	}
	return listing(entries), nil
}

func listing(entries []entry) string {
	if len(entries) == 0 {
		return "[the folder is empty]"
	}
	var b strings.Builder
	for i, e := range entries {
		if i == maxListed {
			more := itoa(len(entries)-i) + " more"
			if len(entries) >= maxEntries {
				more = "at least " + more
			}
			fmt.Fprintf(&b, "[%s; glob finds names by a pattern]\n", more)
			break
		}
		b.WriteString(e.String() + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// String is the entry as a line of a list.
func (e entry) String() string {
	name := shown(e.name)
	switch {
	case e.dir:
		return name + "/"
	case e.link != "":
		return name + " -> " + shown(e.link)
	case e.special:
		return name + " (not a plain file)"
	case e.size >= 0:
		return fmt.Sprintf("%s (%s)", name, plural(int(e.size), "byte"))
	}
	return name
}

// shown is a name on a line of its own: one that would break the line is quoted.
func shown(name string) string {
	name = valid([]byte(name))
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' }) {
		return fmt.Sprintf("%q", name)
	}
	return name
}

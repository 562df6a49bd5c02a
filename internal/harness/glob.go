package harness

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
)

type globInput struct {
	Pattern string `json:"pattern" jsonschema:"What the path must match below the folder: * inside a name, ** over folders, ? one character, {a,b} one of several. **/*.md finds all Markdown files."`
	Path    string `json:"path,omitempty" jsonschema:"The folder to search, relative to the workspace, which is also the default."`
}

func (h *tools) glob() *agent.Tool {
	return tool("glob", "Finds files and folders of the workspace by a pattern of their path. It looks into .git and node_modules only where they are named.", h.findNames, nil)
}

func (h *tools) findNames(ctx context.Context, in globInput, c *agent.Call) (string, error) {
	re, err := compile(strings.TrimPrefix(in.Pattern, "./"))
	if err != nil {
		return "", err
	}
	v, err := h.open(ctx, c)
	if err != nil {
		return "", err
	}
	defer v.close()
	dir, err := v.folder(in.Path)
	if err != nil {
		return "", err
	}
	var found []string
	err = v.walk(ctx, dir, dir+"/"+in.Pattern, func(p string, e entry) error {
		if !re.MatchString(below(dir, p)) {
			return nil
		}
		if len(found) == maxListed {
			return errWalked
		}
		if e.dir {
			p += "/"
		}
		found = append(found, shown(p))
		return nil
	})
	return ended(found, err, "no path matches", "narrow the pattern or give a path")
}

// folder gives the folder that a search begins in.
func (v *view) folder(given string) (string, error) {
	dir, err := v.clean(given)
	if err != nil {
		return "", err
	}
	dir = v.find(dir)
	switch {
	case !v.exists(dir) && dir != "":
		return "", v.missing("searching", dir)
	case !v.isDir(dir):
		return "", fmt.Errorf("searching %q: it is no folder", dir)
	}
	return dir, nil
}

// below is a path as seen from a folder.
func below(dir, p string) string {
	if dir == "" {
		return p
	}
	return strings.TrimPrefix(p, dir+"/")
}

// ended is the answer of a search: its lines, or that there are none, or that there
// are more than these.
func ended(found []string, err error, none, narrow string) (string, error) {
	text := strings.Join(found, "\n")
	switch {
	case errors.Is(err, errWalked) && len(found) == 0:
		return "[" + none + " among the first " + itoa(maxWalked) + " names; " + narrow + "]", nil
	case errors.Is(err, errWalked):
		return text + "\n[there may be more; " + narrow + "]", nil
	case err != nil:
		return "", err
	case len(found) == 0:
		return "[" + none + "]", nil
	}
	return text, nil
}

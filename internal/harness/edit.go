package harness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
)

type editInput struct {
	Path       string `json:"path" jsonschema:"The file, relative to the workspace."`
	Old        string `json:"old" jsonschema:"The text to replace, exactly as it is in the file. It must be there once."`
	New        string `json:"new" jsonschema:"The text to put in its place."`
	ReplaceAll bool   `json:"replaceAll,omitempty" jsonschema:"Replace it everywhere, however often it is there."`
}

func (h *tools) edit() *agent.Tool {
	t := tool("edit", "Replaces a text in a file of the workspace.", h.editFile,
		&agent.ToolOptions[editInput]{Effect: agent.EffectWrite, Idempotent: true})
	t.Contained = !h.UserFolder
	return t
}

func (h *tools) editFile(ctx context.Context, in editInput, c *agent.Call) (string, error) {
	switch {
	case in.Old == "":
		return "", errors.New("old is empty; write makes a file")
	case in.Old == in.New:
		return "", errors.New("old and new are the same text")
	}
	return h.change(ctx, c, in.Path, func(v *view, p string) (string, error) { return h.editOnce(v, p, &in, c) })
}

// editOnce edits the file unless this call did so before a crash.
func (h *tools) editOnce(v *view, p string, in *editInput, c *agent.Call) (string, error) {
	n, err := h.note(c)
	if err != nil {
		return "", err
	}
	if n.isDone() { // by this call, before a crash; others may have gone on from there
		return "edited " + p, nil
	}
	before, err := v.target(p)
	if err != nil {
		return "", err
	}
	text, err := v.whole(p)
	if err != nil {
		return "", v.explain("editing", p, err)
	}
	if n.says(text) { // this call made the file what it is, and was cut off then
		return "edited " + p, n.done()
	}
	edited, answer, err := replace(p, text, in)
	if err != nil {
		return "", err
	}
	if err := n.write(edited); err != nil {
		return "", err
	}
	if err := v.put(p, edited, before); err != nil {
		return "", v.explain("editing", p, err)
	}
	return answer, n.done()
}

// whole reads a file that is to be edited.
func (v *view) whole(p string) ([]byte, error) {
	r, size, err := v.content(p)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if size > maxFileBytes {
		return nil, fmt.Errorf("the file has more than %d bytes", maxFileBytes)
	}
	b, err := io.ReadAll(io.LimitReader(r, maxFileBytes+1))
	if err == nil && binary(b) {
		err = errors.New("it is a binary file")
	}
	return b, err
}

// replace gives the new content, and what is said about it.
func replace(p string, text []byte, in *editInput) (edited []byte, answer string, err error) {
	old := []byte(in.Old)
	n := bytes.Count(text, old)
	switch {
	case n == 0:
		return nil, "", fmt.Errorf("editing %q: the old text is not there%s", p, hint(text, in))
	case n > 1 && !in.ReplaceAll:
		return nil, "", fmt.Errorf("editing %q: the old text is there %d times, at lines %s; give more of what is around it, or set replaceAll", p, n, places(text, old))
	}
	edited = bytes.ReplaceAll(text, old, []byte(in.New))
	if len(edited) > maxFileBytes {
		return nil, "", fmt.Errorf("editing %q: the file would have more than %d bytes", p, maxFileBytes)
	}
	return edited, fmt.Sprintf("edited %s: %s, at line %s", p, plural(n, "place"), places(text, old)), nil
}

// maxPlaces is how many places an answer lists.
const maxPlaces = 10

// places lists the lines at which a text begins.
func places(text, old []byte) string {
	var list []string
	line := 1
	for len(list) < maxPlaces {
		i := bytes.Index(text, old)
		if i < 0 {
			return strings.Join(list, ", ")
		}
		line += bytes.Count(text[:i], []byte("\n"))
		list = append(list, itoa(line))
		line += bytes.Count(text[i:i+len(old)], []byte("\n"))
		text = text[i+len(old):]
	}
	return strings.Join(list, ", ") + ", …"
}

// hint says what may be the reason that a text was not found.
func hint(text []byte, in *editInput) string {
	unix := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
	squeezed := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	switch whole := valid(text); {
	case in.New != "" && strings.Contains(whole, in.New):
		return ", and the new one is: perhaps it was edited already"
	case strings.Contains(unix(whole), unix(in.Old)):
		return `: the file ends its lines with \r\n, or old does`
	case squeezed(in.Old) != "" && strings.Contains(squeezed(whole), squeezed(in.Old)):
		return " with the same white space; read shows it as it is"
	case strings.Contains(strings.ToLower(whole), strings.ToLower(in.Old)):
		return " with the same case of letters"
	}
	return "; read shows the file as it is"
}

package project

import (
	"bytes"
	"encoding/json"
	"strings"
)

// parseReply gives the JSON of a reply: the whole of it, or else that of the last
// fenced block that is JSON. why says what is missing, for the model to mend.
func parseReply(text string) (value json.RawMessage, why string) {
	if value, ok := jsonOf(text); ok {
		return value, ""
	}
	blocks := fenced(text)
	for i := len(blocks) - 1; i >= 0; i-- {
		if value, ok := jsonOf(blocks[i]); ok {
			return value, ""
		}
	}
	if len(blocks) > 0 {
		return nil, "the fenced block of the reply is no JSON: answer with one JSON value, alone or in a ```json block"
	}
	return nil, "the reply is no JSON: answer with one JSON value, alone or in a ```json block"
}

func jsonOf(text string) (json.RawMessage, bool) {
	raw := bytes.TrimSpace([]byte(text))
	if !json.Valid(raw) {
		return nil, false
	}
	return raw, true
}

// fenced lists the contents of the blocks between fences, ``` or ~~~, that may be
// JSON: those that name it, and those that name no language. An open one ends with the text.
func fenced(text string) []string {
	var blocks []string
	var open, inside string
	var wanted bool
	for line := range strings.Lines(text) {
		mark, info := fenceOf(line)
		switch {
		case open == "" && mark != "":
			open, inside, wanted = mark, "", info == "" || strings.HasPrefix(strings.ToLower(info), "json")
		case open != "" && info == "" && strings.HasPrefix(mark, open):
			if wanted {
				blocks = append(blocks, inside)
			}
			open = ""
		case open != "":
			inside += line
		}
	}
	if open != "" && wanted {
		blocks = append(blocks, inside)
	}
	return blocks
}

// fenceOf gives the mark of a line that is a fence, and what stands behind it.
func fenceOf(line string) (mark, info string) {
	line = strings.TrimSpace(line)
	for _, c := range []string{"`", "~"} {
		if rest := strings.TrimLeft(line, c); len(line)-len(rest) >= 3 {
			return line[:len(line)-len(rest)], strings.TrimSpace(rest)
		}
	}
	return "", ""
}

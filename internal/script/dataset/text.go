package dataset

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

const mark = "\ufeff" // a byte order mark

// decode gives the text of a file: UTF-8, without the mark that some editors put before it.
func decode(name string, content []byte) (string, error) {
	switch {
	case bytes.HasPrefix(content, []byte{0xff, 0xfe}), bytes.HasPrefix(content, []byte{0xfe, 0xff}), bytes.IndexByte(content[:min(len(content), 64)], 0) >= 0:
		return "", &Fault{File: name, Message: "is UTF-16 or no text at all: save it as UTF-8"}
	case !utf8.Valid(content):
		return "", fault(name, string(content), broken(content), "is not UTF-8 here: save the file as UTF-8")
	}
	return strings.TrimPrefix(string(content), mark), nil
}

// broken is where the bytes stop being UTF-8.
func broken(content []byte) int {
	at := 0
	for at < len(content) {
		r, size := utf8.DecodeRune(content[at:])
		if r == utf8.RuneError && size < 2 {
			break
		}
		at += size
	}
	return at
}

// fault puts a message at a byte of the text.
func fault(name, text string, at int, message string) *Fault {
	line, column := place(text, at)
	return &Fault{File: name, Line: line, Column: column, Message: message}
}

// place gives line and column of a byte. A line ends with \n, \r\n or \r.
func place(text string, at int) (line, column int) {
	before := strings.TrimPrefix(lines.Replace(text[:min(max(at, 0), len(text))]), mark)
	last := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[last:]) + 1
}

// lines makes every end of a line \n.
var lines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

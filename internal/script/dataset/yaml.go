package dataset

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// YAML reads one document by the core schema of YAML 1.2: no, off, 12:30 and 2026-01-02
// are texts, and << is a key like any other. A key that is there twice is a fault.
func YAML(name, text string) (*Set, error) {
	text = lines.Replace(text)
	tokens := lexer.Tokenize(text)
	if deep := tooDeep(tokens); deep != nil {
		return nil, at(name, deep, fmt.Sprintf("nests more than %d levels deep", maxDepth))
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, noYAML(name, text, err)
	}
	d := &document{name: name, nan: marker(text), anchors: map[string]*anchor{}}
	body, err := d.only(file.Docs)
	if err != nil {
		return nil, err
	}
	if err := d.value(body, 0); err != nil {
		return nil, err
	}
	if d.hasNaN && d.clash {
		return nil, at(name, nil, fmt.Sprintf("has both .nan and the text %q, in escapes: leave one of them out", d.nan))
	}
	return d.set(), nil
}

// tooDeep gives the token at which the nesting of one line, or of what is in brackets,
// goes too deep: the parser would go as deep.
func tooDeep(tokens token.Tokens) *token.Token {
	open, entries, line := 0, 0, 0
	for _, t := range tokens {
		if t.Position.Line != line {
			entries, line = 0, t.Position.Line
		}
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			open++
		case token.MappingEndType, token.SequenceEndType:
			open--
		case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType, token.TagType, token.AnchorType:
			if open == 0 {
				entries++
			}
		}
		if open+entries > maxDepth {
			return t
		}
	}
	return nil
}

// marker is a text that the document does not have.
func marker(text string) string {
	m := "NaN"
	for strings.Contains(text, m) {
		m += "~"
	}
	return m
}

// at puts a message at a token.
func at(name string, t *token.Token, message string) *Fault {
	f := &Fault{File: name, Message: message}
	if t != nil && t.Position != nil {
		f.Line, f.Column = t.Position.Line, t.Position.Column
	}
	return f
}

func noYAML(name, text string, err error) error {
	f := at(name, nil, "is no YAML: "+err.Error())
	var said yaml.Error
	if errors.As(err, &said) {
		f = at(name, said.GetToken(), "is no YAML: "+said.GetMessage())
	}
	if all := strings.Split(text, "\n"); f.Line > 0 && f.Line <= len(all) && strings.HasPrefix(strings.TrimLeft(all[f.Line-1], " "), "\t") {
		f.Message = "is no YAML: the line is indented with a tab; use spaces"
	}
	return f
}

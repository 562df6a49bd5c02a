package logs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"
)

const timeLayout = "2006-01-02T15:04:05.000Z"

// capField bounds one field: a text is cut; anything else that is too long
// becomes the beginning of its JSON.
func capField(v any) any {
	if s, ok := v.(string); ok {
		return capText(s)
	}
	if b := encode(v); len(b) > maxField {
		return capText(string(b))
	}
	return v
}

// encode gives v as JSON on one line, in which nothing hidden stands unescaped.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return []byte(`"(not JSON)"`)
	}
	text := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	if !bytes.ContainsFunc(text, hidden) {
		return text
	}
	var out bytes.Buffer
	for _, r := range string(text) {
		switch {
		case !hidden(r):
			out.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, hi, lo)
		}
	}
	return out.Bytes()
}

// appendJSON writes a line as one JSON object: level, time, message, then the
// fields in the order of their names.
func appendJSON(dst []byte, l Line) []byte {
	dst = append(dst, `{"level":`...)
	dst = append(dst, encode(l.Level)...)
	dst = append(dst, `,"time":"`...)
	dst = l.At.AppendFormat(dst, timeLayout)
	dst = append(dst, `","message":`...)
	dst = append(dst, encode(l.Message)...)
	for _, k := range slices.Sorted(maps.Keys(l.Fields)) {
		dst = append(dst, ',')
		dst = append(dst, encode(k)...)
		dst = append(dst, ':')
		dst = append(dst, encode(l.Fields[k])...)
	}
	return append(dst, "}\n"...)
}

// paint gives the colour of a level.
var paint = map[string]string{"warn": "33", "error": "31", "fatal": "31", "panic": "31", "debug": "90", "trace": "90"}

// AppendReadable writes a line for people: the local time, the level, the
// message, then name=value for each field. It is always one line.
func AppendReadable(dst []byte, l Line, color bool) []byte {
	dst = l.At.Local().AppendFormat(dst, "15:04:05.000 ")
	level := fmt.Sprintf("%-5s", Visible(l.Level, ""))
	if c := paint[l.Level]; color && c != "" {
		level = "\x1b[" + c + "m" + level + "\x1b[0m"
	}
	dst = append(dst, level...)
	dst = append(dst, ' ')
	dst = append(dst, Visible(l.Message, "")...)
	for _, k := range slices.Sorted(maps.Keys(l.Fields)) {
		dst = append(dst, ' ')
		dst = append(dst, Visible(k, "")...)
		dst = append(dst, '=')
		dst = append(dst, readable(l.Fields[k])...)
	}
	return append(dst, '\n')
}

// readable gives a field's value: a plain word as it is, anything else as JSON.
func readable(v any) []byte {
	if s, ok := v.(string); ok && s != "" && !strings.ContainsAny(s, " \"=\\") && !strings.ContainsFunc(s, hidden) {
		return []byte(s)
	}
	return encode(v)
}

package events

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// AsLogged gives JSON with the bytes that it has in a line of the log: no space between
// its parts, what is not UTF-8 replaced, U+2028 and U+2029 escaped. It gives raw itself
// where that is so already, and where raw is not JSON.
func AsLogged(raw RawJSON) RawJSON {
	if !hasSpace(raw) && isClean(raw) {
		return raw
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return raw
	}
	return appendClean(nil, b.Bytes())
}

// isClean says whether appendClean leaves src as it is.
func isClean(src []byte) bool {
	return utf8.Valid(src) && !bytes.Contains(src, []byte("\xe2\x80\xa8")) && !bytes.Contains(src, []byte("\xe2\x80\xa9"))
}

// hasSpace says whether there is space outside of the strings of JSON.
func hasSpace(raw []byte) bool {
	text, escaped := false, false
	for _, b := range raw {
		switch {
		case escaped:
			escaped = false
		case text && b == '\\':
			escaped = true
		case b == '"':
			text = !text
		case !text && (b == ' ' || b == '\n' || b == '\r' || b == '\t'):
			return true
		}
	}
	return false
}

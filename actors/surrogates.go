package actors

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf16"
)

// wellFormed replaces escapes of half a character, such as "\ud83d" alone, by U+FFFD:
// JSON allows them, and many readers of the log refuse the whole line. The rest
// stays as it is. raw is valid JSON and is not changed.
func wellFormed(raw json.RawMessage) json.RawMessage {
	if !bytes.Contains(raw, []byte(`\ud`)) && !bytes.Contains(raw, []byte(`\uD`)) {
		return raw
	}
	out := make(json.RawMessage, 0, len(raw))
	for i := 0; i < len(raw); {
		n := 1
		if raw[i] == '\\' {
			n = 2
		}
		half, ok := escapeAt(raw, i)
		switch {
		case !ok || !utf16.IsSurrogate(half):
			out = append(out, raw[i:i+n]...)
		case isPair(raw, i, half):
			n = 12
			out = append(out, raw[i:i+n]...)
		default:
			n = 6
			out = append(out, `\ufffd`...)
		}
		i += n
	}
	return out
}

// escapeAt reads the \uXXXX that begins at i.
func escapeAt(raw []byte, i int) (rune, bool) {
	if i+6 > len(raw) || raw[i] != '\\' || raw[i+1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(raw[i+2:i+6]), 16, 16)
	return rune(n), err == nil
}

func isPair(raw []byte, i int, high rune) bool {
	low, ok := escapeAt(raw, i+6)
	return ok && utf16.DecodeRune(high, low) != '\uFFFD'
}

package script

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// textOps serve TextEncoder and TextDecoder.
func textOps(o *ops) {
	o.sync("text.encode", func(_ *vm, a args) (any, error) { return fromBytes([]byte(a.text(0))), nil })
	o.sync("text.encoding", func(_ *vm, a args) (any, error) {
		_, name, err := decoderOf(a.text(0))
		return name, err
	})
	o.sync("text.decode", func(_ *vm, a args) (any, error) {
		bytes, err := a.bytes(1)
		if err != nil {
			return nil, err
		}
		return decodeText(a.text(0), bytes, a.flag(2), a.flag(3))
	})
}

// decoderOf finds an encoding by its label; UTF-8 has none, since Go's text is it.
func decoderOf(label string) (encoding.Encoding, string, error) {
	label = strings.ToLower(strings.TrimSpace(label))
	switch label {
	case "utf-8", "utf8", "unicode-1-1-utf-8":
		return nil, "utf-8", nil
	case "utf-16le", "utf-16", "ucs-2", "unicode":
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "utf-16le", nil
	case "utf-16be":
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), "utf-16be", nil
	}
	e, err := htmlindex.Get(label)
	if err != nil {
		return nil, "", &hostError{Name: "RangeError", Message: "The \"" + label + "\" encoding is not supported", Code: "ERR_ENCODING_NOT_SUPPORTED"}
	}
	name, _ := htmlindex.Name(e)
	return e, name, nil
}

func decodeText(label string, bytes []byte, fatal, keepMark bool) (string, error) {
	e, name, err := decoderOf(label)
	if err != nil {
		return "", err
	}
	text := string(bytes)
	if e != nil {
		if text, err = e.NewDecoder().String(text); err != nil {
			return "", typeError("the data was not valid for encoding %s", name)
		}
	} else if fatal && !utf8.ValidString(text) {
		return "", &hostError{Name: "TypeError", Message: "The encoded data was not valid for encoding utf-8", Code: "ERR_ENCODING_INVALID_ENCODED_DATA"}
	}
	if !keepMark {
		text = strings.TrimPrefix(text, "\ufeff")
	}
	return wellFormed(text), nil
}

// wellFormed puts U+FFFD in the place of what is no UTF-8, one for each longest
// part that might have begun a character, as the web's decoders do.
func wellFormed(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var out strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 {
			size = brokenPart(text)
		}
		out.WriteRune(r)
		text = text[size:]
	}
	return out.String()
}

// brokenPart is how many bytes begin a character that does not come to its end.
func brokenPart(text string) int {
	for n := min(3, len(text)); n > 1; n-- {
		// A beginning is one that some last bytes would complete.
		for _, rest := range []string{"\x80", "\x80\x80"} {
			whole := text[:n] + rest
			if r, size := utf8.DecodeRuneInString(whole); size == len(whole) && r != utf8.RuneError {
				return n
			}
		}
	}
	return 1
}

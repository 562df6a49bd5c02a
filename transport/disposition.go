package transport

import (
	"mime"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxFileName is the length of a download's name in bytes.
const maxFileName = 200

// disposition makes a reply a file to be kept, under a name that is safe in a header
// and on a disk: once in ASCII for old clients, once as it is.
func disposition(name string) string {
	name = safeName(name)
	var b strings.Builder
	b.WriteString(`attachment; filename="`)
	for _, r := range name {
		if r >= utf8.RuneSelf || strings.ContainsRune("%;=,", r) {
			r = '_'
		}
		b.WriteRune(r)
	}
	b.WriteString(`"; filename*=UTF-8''`)
	for i := range len(name) {
		writeEscaped(&b, name[i])
	}
	return b.String()
}

// safeName takes out what breaks a header or disguises a name, and turns what no disk
// takes into an underscore.
func safeName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError, r == '"', unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			return -1
		case strings.ContainsRune(`/\:*?<>|`, r):
			return '_'
		}
		return r
	}, name)
	for len(name) > maxFileName {
		_, n := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-n]
	}
	if name = strings.Trim(name, " ."); name == "" {
		return "artifact"
	}
	return name
}

// writeEscaped writes a byte of an extended value as RFC 8187 has it.
func writeEscaped(b *strings.Builder, c byte) {
	const hex = "0123456789ABCDEF"
	if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || isDigit(c) || strings.IndexByte("!#$&+-.^_`|~", c) >= 0 {
		b.WriteByte(c)
		return
	}
	b.Write([]byte{'%', hex[c>>4], hex[c&15]})
}

// harmless are the media types that are sent as what they are. Browsers run nothing
// that is in them.
var harmless = map[string]bool{
	"text/plain": true, "text/csv": true, "text/markdown": true,
	"application/json": true, "application/pdf": true, "application/zip": true, "application/gzip": true,
	"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true,
	"audio/mpeg": true, "audio/wav": true, "audio/ogg": true, "video/mp4": true, "video/webm": true,
}

const anyBytes = "application/octet-stream"

// safeType gives the type that contents are sent as: a harmless one, else that of any
// bytes. Texts are sent as UTF-8, and only where they do not say that they are not.
func safeType(contentType string) string {
	name, params, err := mime.ParseMediaType(contentType)
	switch {
	case err != nil || !harmless[name]:
		return anyBytes
	case !strings.HasPrefix(name, "text/"):
		return name
	case params["charset"] == "" || strings.EqualFold(params["charset"], "utf-8"):
		return name + "; charset=utf-8"
	}
	return anyBytes
}

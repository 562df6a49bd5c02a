package transport

import (
	"fmt"
	"strconv"
	"strings"
)

// maxRanges is how many ranges of one request are answered one by one.
const maxRanges = 8

// A span is a part of contents.
type span struct{ start, length int64 }

func (s span) contentRange(size int64) string {
	return fmt.Sprintf("bytes %d-%d/%d", s.start, s.start+s.length-1, size)
}

// parseRange reads a Range header. What is no range of bytes, or asks for too many, or
// for more than the whole, gives none: the whole is sent, as the protocol allows. ok
// is false when the ranges are well-formed and nothing is in any of them.
func parseRange(header string, size int64) (spans []span, ok bool) {
	unit, list, found := strings.Cut(header, "=")
	parts := strings.Split(list, ",")
	if !found || !strings.EqualFold(strings.TrimSpace(unit), "bytes") || len(parts) > maxRanges {
		return nil, true
	}
	total := int64(0)
	for _, part := range parts {
		s, fits := parseSpan(strings.TrimSpace(part), size)
		if !fits {
			return nil, true
		}
		if s.length > 0 {
			spans = append(spans, s)
			total += s.length
		}
	}
	if total > size {
		return nil, true
	}
	return spans, len(spans) > 0
}

// parseSpan reads "first-last", "first-" or "-length"; a part with nothing in it has
// no length. fits is false for what is none of them.
func parseSpan(s string, size int64) (out span, fits bool) {
	first, last, found := strings.Cut(s, "-")
	if !found {
		return out, false
	}
	if first == "" {
		n, ok := bytePlace(last)
		n = min(n, size)
		return span{size - n, n}, ok
	}
	start, ok := bytePlace(first)
	end := size - 1
	if ok && last != "" {
		end, ok = bytePlace(last)
		ok = ok && end >= start
		end = min(end, size-1)
	}
	return span{start, max(end-start+1, 0)}, ok
}

// bytePlace reads digits alone; a number that is too large for a place is beyond all.
func bytePlace(s string) (int64, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 1<<62 - 1, true
	}
	return min(n, 1<<62-1), true
}

package transport

import (
	"mime"
	"strconv"
	"strings"
)

// Media types of streams.
const (
	ndjson      = "application/x-ndjson"
	eventStream = "text/event-stream"
)

// streamType gives the stream type that an Accept header names and likes best;
// empty when it names none. Wildcards name nothing.
func streamType(accept []string) string {
	if len(accept) == 0 || len(accept) == 1 && (accept[0] == "*/*" || accept[0] == "application/json") {
		return ""
	}
	best, liked := "", 0.0
	for _, part := range strings.Split(strings.Join(accept, ","), ",") {
		name, params, err := mime.ParseMediaType(part)
		if err != nil || name != ndjson && name != eventStream {
			continue
		}
		if q := quality(params["q"]); q > liked {
			best, liked = name, q
		}
	}
	return best
}

func quality(s string) float64 {
	if s == "" {
		return 1
	}
	q, err := strconv.ParseFloat(s, 64)
	if err != nil || q < 0 || q > 1 {
		return 0
	}
	return q
}

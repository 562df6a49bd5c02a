package events

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"time"
)

// crockford is Crockford's base 32: no I, L, O, U.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// Prefixes of ids.
const (
	SessionPrefix  = "ses_"
	AgentLogPrefix = "agt_"
	TurnPrefix     = "turn_"
	CallPrefix     = "call_"
	RequestPrefix  = "req_"
	ArtifactPrefix = "art_"
	ReceiptPrefix  = "rcp_"
	ReminderPrefix = "rem_"
)

// NewID gives prefix + 26 characters of Crockford base 32: 48 bits of time in
// milliseconds, then 80 bits read from random, so ids sort by the time they were
// made. It fails only when random does.
func NewID(prefix string, now time.Time, random io.Reader) (string, error) {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], uint64(now.UnixMilli())<<16)
	if _, err := io.ReadFull(random, b[6:]); err != nil {
		return "", fmt.Errorf("events: making an id: %w", err)
	}
	hi, lo := binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:])
	out := make([]byte, len(prefix)+26)
	copy(out, prefix)
	for i := len(out) - 1; i >= len(prefix); i-- {
		out[i] = crockford[lo&31]
		lo = lo>>5 | hi<<59
		hi >>= 5
	}
	return string(out), nil
}

// IsSessionID says whether s has the form of a session's id.
func IsSessionID(s string) bool {
	rest, ok := strings.CutPrefix(s, SessionPrefix)
	if !ok || len(rest) != 26 {
		return false
	}
	for i := range len(rest) {
		if strings.IndexByte(crockford, rest[i]) < 0 {
			return false
		}
	}
	return true
}

// AgentLog is the id of the log of what belongs to no session of an agent.
func AgentLog(slug string) string { return AgentLogPrefix + slug }

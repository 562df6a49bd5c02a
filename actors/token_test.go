package actors

import (
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// "A token that is not this session's newest (old, another session's, a channel's,
// malformed) is `409 stale_token`."
func TestTokens_ReadOnlyWhatWasMinted(t *testing.T) {
	t.Parallel()
	const id = "ses_01J0000000000000000000000A"
	tk := newTokens([]byte(strings.Repeat("k", 32)))
	token := tk.mint(id, 3)
	if got, n, ok := tk.read(token); got != id || n != 3 || !ok {
		t.Fatalf("read gave %q, %d, %v", got, n, ok)
	}
	if tk.mint(id, 3) != token || tk.mint(id, 4) == token || strings.Contains(token, id) {
		t.Error("a token is derived from session and number, and opaque")
	}
	if _, _, ok := newTokens([]byte(strings.Repeat("x", 32))).read(token); ok {
		t.Error("another secret read it")
	}
	for i := range token {
		b := []byte(token)
		if b[i]++; b[i] == '`' || b[i] == '{' || b[i] == ':'+1 {
			b[i] = 'Q'
		}
		if _, _, ok := tk.read(string(b)); ok && string(b) != token {
			t.Errorf("a changed byte %d was read", i)
		}
	}
	for _, s := range []string{"", "http:", "http:x", token + "A", token[:len(token)-1], strings.TrimPrefix(token, "http:"), "HTTP:" + token[5:], token + "=", "slack:C1"} {
		if _, _, ok := tk.read(s); ok {
			t.Errorf("%q was read", s)
		}
	}
}

// "The token is null when the session can't take follow-ups."
func TestTokenNumber(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		st   session.State
		want int64
	}{
		{session.State{Mode: events.ModeChat, FollowUps: 2}, 2},
		{session.State{Mode: events.ModeTask}, -1},
		{session.State{Mode: events.ModeTask, Ended: session.StatusCompleted}, -1},
		{session.State{Mode: events.ModeChat, FollowUps: 2, Ended: session.StatusDeleted}, -1},
	} {
		if got := tokenNumber(&tt.st); got != tt.want {
			t.Errorf("%+v: %d, want %d", tt.st, got, tt.want)
		}
	}
}

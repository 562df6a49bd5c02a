package logs

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/gobdk/bdk/internal/redact"
)

// host.md: "Secrets (configured tokens, keys, Authorization, cookies) never appear in a log, an error, an event or info."
func TestLog_SecretsNeverAppear(t *testing.T) {
	t.Parallel()
	const canary = "canary-7f3a91"
	for _, format := range []string{FormatJSON, FormatConsole} {
		var out bytes.Buffer
		l := New(&Options{Out: &out, Format: format, Redactor: redact.New(canary)})
		log := l.Logger()
		log.Info().Str("url", "https://x/?key="+canary).Msg("calling with " + canary)
		log.Error().Err(errors.New("401 for " + canary)).Msg("m")
		log.Info().Interface("headers", map[string]any{"Authorization": []string{"Bearer other-value-1"}, "Cookie": "sid=other-value-2"}).Msg("m")
		log.Info().Str("api_key", "other-value-3").Str("githubToken", "other-value-4").Msg("sent Authorization: Bearer other-value-5")
		log.Info().Str("at", "https://me:other-value-6@host/").Msg("Set-Cookie: sid=other-value-7; Path=/")
		lines, _ := l.After(0)
		kept := string(encode(lines))
		for _, s := range []string{canary, "other-value"} {
			if strings.Contains(out.String(), s) || strings.Contains(kept, s) {
				t.Errorf("%s: %q appears in\n%s%s", format, s, out.String(), kept)
			}
		}
	}
}

func TestVisible_EscapesWhatCannotBeSeen(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain ü 👩\u200d💻": "plain ü 👩\u200d💻",
		"a\x1b[2Jb":        `a\x1b[2Jb`,
		"a\nb\tc\r":        "a\nb\tc" + `\x0d`,
		"pay \u202eeod":    `pay \u202eeod`,
		"bad \xff byte":    `bad \xff byte`,
		"\U000e0041":       `\U000e0041`,
	} {
		if got := Visible(in, "\n\t"); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

package logs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
)

func at() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 8e6, time.UTC) }

// host.md: "zerolog JSON on stderr when it is not a terminal".
func TestLog_WritesJSONLines(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := New(&Options{Out: &out, Now: at})
	log := l.Logger()
	log.Info().Str("session", "ses_1").Int("n", 3).Msg("a turn ended")
	want := `{"level":"info","time":"2026-03-04T05:06:07.008Z","message":"a turn ended","n":3,"session":"ses_1"}` + "\n"
	if got := out.String(); got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
}

func TestLog_LevelLeavesLinesOut(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := New(&Options{Out: &out, Level: zerolog.WarnLevel})
	log := l.Logger()
	log.Info().Msg("quiet")
	if lines, next := l.After(0); out.Len() != 0 || len(lines) != 0 || next != 0 {
		t.Errorf("a line below the level was kept: %q", out.String())
	}
}

// host.md: "readable lines when it is" a terminal.
func TestLog_WritesReadableLines(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := New(&Options{Out: &out, Format: FormatConsole, Now: at})
	log := l.Logger()
	log.Warn().Str("agent", "pr-reviewer").Str("why", "two words").Msg("slow")
	if got := out.String(); !strings.HasSuffix(got, "warn  slow agent=pr-reviewer why=\"two words\"\n") {
		t.Errorf("wrote %q", got)
	}
}

// host.md: "The last 2,000 lines are at GET /v1/logs."
func TestLog_KeepsTheLast2000Lines(t *testing.T) {
	t.Parallel()
	l := New(nil)
	log := l.Logger()
	for i := range 2500 {
		log.Info().Int("i", i).Msg("line")
	}
	lines, next := l.After(0)
	if len(lines) != 2000 || lines[0].N != 501 || lines[1999].N != 2500 || next != 2500 {
		t.Fatalf("kept %d lines from %d, next %d", len(lines), lines[0].N, next)
	}
	if lines[0].Fields["i"] != json.Number("500") {
		t.Errorf("the oldest line is %v", lines[0].Fields)
	}
	lines, next = l.After(2498)
	if len(lines) != 2 || lines[0].N != 2499 || next != 2500 {
		t.Errorf("after 2498 came %d lines, next %d", len(lines), next)
	}
	if lines, _ = l.After(2500); len(lines) != 0 {
		t.Errorf("after the newest came %d lines", len(lines))
	}
	if lines, _ = l.After(9999); len(lines) != 2000 {
		t.Errorf("a number of another process gives all, got %d", len(lines))
	}
}

// S25: `"x\n{\"level\":\"info\"…"` and `\x1b]0;` must stay inside one field.
func TestLog_ForgedLinesStayInsideOneField(t *testing.T) {
	t.Parallel()
	hostile := "x\n{\"level\":\"info\",\"message\":\"forged\"}\r\x1b]0;owned\x07\u009b31m\u202e\u200b\u2028\U000e0041"
	for _, format := range []string{FormatJSON, FormatConsole} {
		var out bytes.Buffer
		l := New(&Options{Out: &out, Format: format})
		log := l.Logger()
		log.Info().Str("text", hostile).Msg(hostile)
		got := strings.TrimSuffix(out.String(), "\n")
		if strings.ContainsFunc(got, hidden) {
			t.Errorf("%s: hidden characters in %q", format, got)
		}
		if format == FormatJSON {
			var line map[string]string
			if err := json.Unmarshal([]byte(got), &line); err != nil || line["text"] != hostile {
				t.Errorf("the field is %q, %v", line["text"], err)
			}
		}
	}
}

// S25: "user text capped at 2 KB per field".
func TestLog_CapsFields(t *testing.T) {
	t.Parallel()
	l := New(nil)
	log := l.Logger()
	log.Info().Str("text", strings.Repeat("ü", 5000)).Strs("list", []string{strings.Repeat("a", 3000)}).Msg(strings.Repeat("m", 4000))
	lines, _ := l.After(0)
	text, list := lines[0].Fields["text"].(string), lines[0].Fields["list"].(string)
	for _, s := range []string{text, list, lines[0].Message} {
		if len(s) > maxField+40 || !strings.Contains(s, "more bytes)") {
			t.Errorf("a field has %d bytes: …%q", len(s), s[len(s)-30:])
		}
	}
	if !strings.HasPrefix(text, strings.Repeat("ü", 1024)+"…") {
		t.Error("the cut is not on a character")
	}
}

func TestLog_WhatIsNoJSONBecomesTheMessage(t *testing.T) {
	t.Parallel()
	l := New(nil)
	if n, err := l.Write([]byte("plain text\n")); n != 11 || err != nil {
		t.Fatalf("wrote %d, %v", n, err)
	}
	lines, _ := l.After(0)
	if lines[0].Message != "plain text" || lines[0].Fields == nil {
		t.Errorf("kept %+v", lines[0])
	}
}

func TestLog_ConcurrentWritersKeepWholeLines(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := New(&Options{Out: &out})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			log := l.Logger()
			for j := range 50 {
				log.Info().Str("from", fmt.Sprint(i, j)).Msg("m")
				l.After(0)
			}
		})
	}
	wg.Wait()
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 400 {
		t.Fatalf("%d lines", len(lines))
	}
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Errorf("not whole: %q", line)
		}
	}
}

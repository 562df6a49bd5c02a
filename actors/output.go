package actors

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/session"
	"github.com/gobdk/bdk/events"
)

// excerptBytes is how much of each end of a long output the log holds at most.
const excerptBytes = 8 << 10

// A LongOutput stands in the log for an output that is longer than the limit. The
// whole lies in the session's files, or in the deployment's for a call without a session.
// Head and Tail are its ends.
type LongOutput struct {
	Truncated bool   `json:"truncated"`
	Bytes     int    `json:"bytes"`
	File      string `json:"file"`
	Head      string `json:"head"`
	Tail      string `json:"tail"`
}

func outputFile(callID string) string { return "outputs/" + callID + ".json" }

// longOf reads what stands for a long output of a call; nil where it is the output itself.
func longOf(callID string, res agent.Result) *LongOutput {
	long := &LongOutput{}
	if res.IsError || json.Unmarshal(res.Output, long) != nil || !long.Truncated || long.File != outputFile(callID) {
		return nil
	}
	return long
}

// finished takes a tool's result: JSON, and of any length.
func (j *job) finished(ctx context.Context, callID string, res agent.Result) *session.ToolDone {
	out := res.Output
	if len(out) == 0 {
		out = json.RawMessage("null")
	}
	if !json.Valid(out) {
		return (&failure{code: events.CodeInvalidOutput, message: "the tool ran, and its result is not JSON"}).outcome(callID)
	}
	out = wellFormed(out)
	code := res.Code
	if res.IsError && code == "" {
		code = events.CodeToolError
	}
	done := &session.ToolDone{CallID: callID, Output: out, IsError: res.IsError, Code: code, Facts: res.Facts}
	if len(out) > j.h.o.MaxOutputBytes {
		return j.shorten(ctx, done)
	}
	return done
}

// shorten keeps a long output whole in a file, and its ends in the result.
func (j *job) shorten(ctx context.Context, d *session.ToolDone) *session.ToolDone {
	scope := agent.FileScope{Session: j.info.ID}
	if j.unbound {
		scope = agent.FileScope{}
	}
	file := outputFile(d.CallID)
	if err := j.agent.files.Write(context.WithoutCancel(ctx), scope, file, d.Output); err != nil {
		j.h.o.Logger.Error().Str("session", j.info.ID).Str("call", d.CallID).Err(err).Msg("a long output was not kept")
		return (&failure{code: events.CodeInvalidOutput, message: fmt.Sprintf("the tool ran, and its result of %d bytes could not be kept", len(d.Output))}).outcome(d.CallID)
	}
	text := string(d.Output)
	if message := ""; d.IsError && json.Unmarshal(d.Output, &message) == nil {
		text = message
	}
	part := min(excerptBytes, j.h.o.MaxOutputBytes/2, len(text)/2)
	long := LongOutput{Truncated: true, Bytes: len(text), File: file, Head: cutEnd(text, part), Tail: cutStart(text, part)}
	if d.IsError { // the output of a failure is its message
		d.Output = jsonString(fmt.Sprintf("%s… (%d bytes in all; the whole is in the file %s) …%s", long.Head, long.Bytes, file, long.Tail))
		return d
	}
	short, err := json.Marshal(long)
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	d.Output = short
	return d
}

// cutEnd gives up to n bytes of the beginning, cutStart of the end: never half a character.
func cutEnd(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.ToValidUTF8(s[:n], "\uFFFD")
}

func cutStart(s string, n int) string {
	if len(s) <= n {
		return s
	}
	at := len(s) - n
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	return strings.ToValidUTF8(s[at:], "\uFFFD")
}

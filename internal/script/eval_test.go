package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/internal/eval"
)

// A stage is a driver whose turns are written down before: each message, or decision,
// takes the next.
type stage struct {
	mu    sync.Mutex
	turns []*eval.Turn
	// said is what it was told, one line each.
	said []string
	sent []eval.SendOptions
	// send and judge take the place of what is written down, where they are set.
	send  func(ctx context.Context, message string, o eval.SendOptions) (*eval.Turn, error)
	judge func(ctx context.Context, prompt string, config json.RawMessage) (*eval.Judgement, error)
}

func (d *stage) Send(ctx context.Context, message string, o eval.SendOptions) (*eval.Turn, error) {
	d.mu.Lock()
	d.said, d.sent = append(d.said, "send "+message), append(d.sent, o)
	d.mu.Unlock()
	if d.send != nil {
		return d.send(ctx, message, o)
	}
	return d.next()
}

func (d *stage) next() (*eval.Turn, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.turns) == 0 {
		return nil, errors.New("the stage has no more turns")
	}
	t := d.turns[0]
	d.turns = d.turns[1:]
	return t, nil
}

func (d *stage) Decide(_ context.Context, callID string, approve bool, reason string) (*eval.Turn, error) {
	d.mu.Lock()
	d.said = append(d.said, fmt.Sprintf("decide %s %v %q", callID, approve, reason))
	d.mu.Unlock()
	return d.next()
}

func (d *stage) Judge(ctx context.Context, prompt string, config json.RawMessage) (*eval.Judgement, error) {
	d.mu.Lock()
	d.said = append(d.said, fmt.Sprintf("judge %q %s", prompt, config))
	d.mu.Unlock()
	if d.judge != nil {
		return d.judge(ctx, prompt, config)
	}
	return &eval.Judgement{Text: "0.5", Model: "judge-1"}, nil
}

func (d *stage) log() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.said, "\n")
}

// turn makes a turn that ended as status says, of events: a type and its data each. They
// are numbered from the first one's index.
func turn(index int, from uint64, status, message string, pairs ...string) *eval.Turn {
	t := &eval.Turn{SessionID: "ses_1", TurnID: fmt.Sprint("turn_", index), Index: index, Status: status, Message: message, From: from}
	for i := 0; i < len(pairs); i += 2 {
		t.Events = append(t.Events, json.RawMessage(fmt.Sprintf(`{"type":%q,"index":%d,"sessionId":"ses_1","turnId":"turn_%d","at":"2026-01-31T12:00:00.000Z","data":%s}`,
			pairs[i], from+uint64(i/2), index, pairs[i+1])))
	}
	return t
}

// oneCase is the case of an eval file that exports one eval.
func oneCase(file string) *eval.Case {
	return &eval.Case{ID: strings.TrimSuffix(strings.TrimPrefix(file, "evals/"), ".eval.ts"), File: file, Iteration: 1, Iterations: 1, Ref: eval.Ref{Module: file, Index: -1, Case: -1}}
}

// runTest runs the body of a test.
func runTest(t *testing.T, d *stage, body string) *eval.Record {
	t.Helper()
	return runEval(t, loadTest(t, body), d)
}

// loadTest loads a suite of one eval whose test has the body.
func loadTest(t *testing.T, body string, change ...func(*Options)) *project {
	t.Helper()
	imports, rest := splitImports(body)
	p := load(t, map[string]string{"evals/x.eval.ts": `import { defineEval, includes, equals, matches, satisfies, similarity } from "@cursor/bdk/evals";` + imports +
		"\nvoid [includes, equals, matches, satisfies, similarity];\nexport default defineEval({ async test(t: any) {\n" + rest + "\n} });"}, change...)
	if err := p.loaded("evals/x.eval.ts").Err; err != nil {
		t.Fatalf("loading: %v at %s", err, err.Place())
	}
	return p
}

func runEval(t *testing.T, p *project, d eval.Driver) *eval.Record {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	rec, err := p.rt.RunEval(ctx, oneCase("evals/x.eval.ts"), json.RawMessage(`{"model":"judge-1"}`), time.Minute, d)
	if err != nil {
		t.Fatalf("%v\n%s", err, p.log)
	}
	return rec
}

// lines writes a record for a comparison: an assertion a line, then the rest.
func lines(r *eval.Record) string {
	var out []string
	for _, a := range r.Assertions {
		mark := "miss"
		if a.Passed {
			mark = "hold"
		}
		line := fmt.Sprintf("%s %s %s>=%v", mark, a.Name, a.Severity, a.Threshold)
		if a.Score != 0 && a.Score != 1 {
			line += fmt.Sprintf(" score %v", a.Score)
		}
		if a.Turn > 0 {
			line += fmt.Sprintf(" turn %d", a.Turn)
		}
		if a.Judge != "" {
			line += " by " + a.Judge
		}
		if a.Message != "" {
			line += ": " + a.Message
		}
		out = append(out, line)
	}
	for _, l := range r.Logs {
		out = append(out, "log "+l)
	}
	if r.Skip != nil {
		out = append(out, "skip "+*r.Skip)
	}
	if r.Error != nil {
		out = append(out, "fault "+r.Error.Kind+": "+r.Error.Message)
	}
	return strings.Join(out, "\n")
}

// same holds what a record says against what it should.
func same(t *testing.T, name, got string, want ...string) {
	t.Helper()
	if want := strings.Join(want, "\n"); got != want {
		t.Errorf("%s:\n got %s\nwant %s", name, strings.ReplaceAll(got, "\n", "\n     "), strings.ReplaceAll(want, "\n", "\n     "))
	}
}

// "await t.send(message, options?) runs one turn"; "Run values include t.reply, t.events,
// t.turns, t.sessionId, t.iteration, t.iterations, and the timeout t.signal"
func TestEval_SendAndItsValues(t *testing.T) {
	t.Parallel()
	d := &stage{turns: []*eval.Turn{
		turn(1, 0, eval.TurnFinished, "one", "session.started", `{}`, "message.received", `{"text":"a"}`, "turn.completed", `{}`),
		turn(2, 2, eval.TurnFinished, "two", "turn.completed", `{}`, "message.received", `{"text":"b"}`, "turn.completed", `{}`, "session.waiting", `{}`),
	}}
	got := lines(runTest(t, d, `
t.log(t.reply === "", t.sessionId === "", t.turns.length, t.events.length, t.iteration, t.iterations, t.signal instanceof AbortSignal, t.signal.aborted);
const turn = await t.send("a");
t.log(turn.message, turn.sessionId, turn.index, turn.ok, turn.events.length, turn.toolCalls.length, turn.expectOk() === turn);
const { send } = t, second = await send("b");
t.log(t.reply, t.sessionId, t.turns.length, t.turns[1] === second, t.events.map((e: any) => e.index).join(), second.events.length);
try { turn.events[0].data.x = 1 } catch (e: any) { t.log(e.name) }
`))
	same(t, "values", got, `log true true 0 0 1 1 true false`, `log one ses_1 1 true 3 0 true`, `log two ses_1 2 true 0,1,2,3,4,5 4`, `log TypeError`)
	same(t, "told", d.log(), "send a", "send b")
}

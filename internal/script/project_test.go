package script

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/rs/zerolog"
)

// A project is a small one on disk with its runtime.
type project struct {
	t   *testing.T
	o   *Options
	rt  *Runtime
	log *logBuffer
}

// logBuffer gathers log lines from any goroutine.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// load writes the files and loads every one under tools/, slots/, channels/, schedules/ and evals/, and every agent.ts,
// instructions.ts beside it. change may edit the options.
func load(t *testing.T, files map[string]string, change ...func(*Options)) *project {
	t.Helper()
	p := write(t, files, change...)
	p.open()
	return p
}

// write makes the project without loading it.
func write(t *testing.T, files map[string]string, change ...func(*Options)) *project {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &project{t: t, log: &logBuffer{}}
	p.o = &Options{Dir: dir, Env: map[string]string{}, Slice: time.Minute, Logger: zerolog.New(p.log)}
	for name, text := range files {
		p.write(name, text)
		if slot, _, _ := strings.Cut(name, "/"); slices.Contains([]string{"tools", "slots", "channels", "schedules", "evals"}, slot) {
			id := strings.TrimSuffix(name, filepath.Ext(name))
			if slot == "evals" {
				id = name // as the loader of evals names them
			}
			p.o.Modules = append(p.o.Modules, Module{ID: id, File: filepath.Join(dir, name)})
		}
	}
	sort.Slice(p.o.Modules, func(i, j int) bool { return p.o.Modules[i].ID < p.o.Modules[j].ID })
	for _, f := range change {
		f(p.o)
	}
	return p
}

func (p *project) write(name, text string) {
	p.t.Helper()
	file := filepath.Join(p.o.Dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) open() {
	p.t.Helper()
	rt, err := Load(context.Background(), p.o)
	if err != nil {
		p.t.Fatal(err)
	}
	p.rt = rt
	p.t.Cleanup(func() { rt.Close() })
}

// loaded gives the row of a module.
func (p *project) loaded(id string) Loaded {
	p.t.Helper()
	for _, l := range p.rt.Loaded() {
		if l.ID == id {
			return l
		}
	}
	p.t.Fatalf("no module %s", id)
	return Loaded{}
}

// call runs an op of the tool; the call may be changed.
func (p *project) call(op, tool, args string, change ...func(*agent.Call)) (string, error) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	c := &agent.Call{ID: "call_1", Tool: tool, Args: json.RawMessage(args), Session: agent.Session{ID: "s1"}}
	for _, f := range change {
		f(c)
	}
	out, err := p.rt.CallTool(ctx, "tools/"+tool, op, c)
	return string(out), err
}

// want runs execute and compares its result.
func (p *project) want(tool, args, result string) {
	p.t.Helper()
	out, err := p.call(OpExecute, tool, args)
	if err != nil {
		p.t.Fatalf("%s %s: %v\n%s", tool, args, err, p.log)
	}
	if out != result {
		p.t.Fatalf("%s %s:\n got %s\nwant %s", tool, args, out, result)
	}
}

// evaluate runs a function body in a project and gives its result as JSON.
func evaluate(t *testing.T, body string, more ...map[string]string) string {
	t.Helper()
	imports, rest := splitImports(body)
	files := map[string]string{"tools/x.ts": imports + "\nexport default { async execute(input: any, ctx: any) {\n" + rest + "\n} };"}
	for _, m := range more {
		for k, v := range m {
			files[k] = v
		}
	}
	p := load(t, files)
	if err := p.loaded("tools/x").Err; err != nil {
		t.Fatalf("loading: %v at %s", err, err.Place())
	}
	out, err := p.call(OpExecute, "x", "{}")
	if err != nil {
		t.Fatalf("%v\n%s", err, p.log)
	}
	return out
}

var importLine = regexp.MustCompile(`import [^;()]*?from "[^"]+";?`)

// splitImports moves the imports of a body before the function that it becomes.
func splitImports(body string) (imports, rest string) {
	return strings.Join(importLine.FindAllString(body, -1), "\n"), importLine.ReplaceAllString(body, "")
}

func loggerTo(w io.Writer) zerolog.Logger { return zerolog.New(w) }

// callFor runs execute with a time limit.
func (p *project) callFor(limit time.Duration, tool, args string) (string, error) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	out, err := p.rt.CallTool(ctx, "tools/"+tool, OpExecute, &agent.Call{ID: "call_1", Tool: tool, Args: json.RawMessage(args), Session: agent.Session{ID: "s1"}})
	return string(out), err
}

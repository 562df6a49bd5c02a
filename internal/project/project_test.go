package project

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gobdk/bdk/actors/agent"
)

var rewrite = flag.Bool("rewrite", false, "write what Load finds into the scripts' want sections")

// wantFile is the section of a script that holds what is expected; it is not
// written into the project.
const wantFile = "want"

// TestLoad_Scripts loads the project of each script and compares what is found.
//
// The comment of a script may have lines: "dir <path>" (default "demo"), "env
// NAME=value", "envfile <path>", "link <name> <target>", "check" (CheckOnly),
// "nomemory" (a host without a journal), "big <path>", "many <folder>".
func TestLoad_Scripts(t *testing.T) {
	t.Parallel()
	for _, file := range scripts(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive := readArchive(t, file)
			root := t.TempDir()
			agents, o := loadScript(t, root, archive)
			got := strings.ReplaceAll(renderAll(agents)+renderSuites(t, agents, o), root, "$ROOT")
			compare(t, file, archive, got)
		})
	}
}

// TestLoad_EveryRuleIsSeen holds that no rule is in the table alone.
func TestLoad_EveryRuleIsSeen(t *testing.T) {
	t.Parallel()
	seen := ""
	for _, file := range scripts(t) {
		for _, f := range readArchive(t, file).Files {
			if f.Name == wantFile {
				seen += string(f.Data)
			}
		}
	}
	for _, r := range Rules() {
		if !strings.Contains(seen, r.Severity+" "+r.ID+"\n") {
			t.Errorf("no script has the %s %s", r.Severity, r.ID)
		}
		if r.Says == "" {
			t.Errorf("rule %s does not say what it is", r.ID)
		}
	}
}

func scripts(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	return files
}

func readArchive(t *testing.T, file string) *txtar.Archive {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return archive
}

// loadScript writes the files of a script to disk and loads them.
func loadScript(t *testing.T, root string, archive *txtar.Archive) ([]*agent.Agent, *Options) {
	t.Helper()
	for _, f := range archive.Files {
		if f.Name != wantFile {
			writeFile(t, filepath.Join(root, f.Name), f.Data)
		}
	}
	dir, o := "demo", &Options{Env: []string{}}
	for line := range strings.Lines(string(archive.Comment)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "dir":
			dir = rest
		case "env":
			o.Env = append(o.Env, rest)
		case "envfile":
			o.EnvFiles = append(o.EnvFiles, filepath.Join(root, rest))
		case "big": // a file of 11 MiB
			writeFile(t, filepath.Join(root, rest), nil)
			if err := os.Truncate(filepath.Join(root, rest), 11<<20); err != nil {
				t.Fatal(err)
			}
		case "many": // 1001 files in a folder
			for i := range 1001 {
				writeFile(t, filepath.Join(root, rest, fmt.Sprint(i)), nil)
			}
		case "check":
			o.CheckOnly = true
		case "link":
			name, target, _ := strings.Cut(rest, " ")
			if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	agents, err := Load(context.Background(), filepath.Join(root, dir), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeAll(agents) })
	return agents, o
}

func writeFile(t *testing.T, file string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func compare(t *testing.T, file string, archive *txtar.Archive, got string) {
	t.Helper()
	for i, f := range archive.Files {
		if f.Name != wantFile {
			continue
		}
		if string(f.Data) == got {
			return
		}
		if *rewrite {
			archive.Files[i].Data = []byte(got)
			writeFile(t, file, txtar.Format(archive))
			return
		}
		t.Fatalf("%s: found\n%s\nwant\n%s", file, got, f.Data)
	}
	t.Fatalf("%s has no section %q", file, wantFile)
}

// renderAll tells a reader what was loaded.
func renderAll(agents []*agent.Agent) string {
	var b strings.Builder
	for _, a := range agents {
		renderAgent(&b, a)
	}
	return b.String()
}

func renderAgent(b *strings.Builder, a *agent.Agent) {
	fmt.Fprintf(b, "agent %s\n", a.Slug)
	show := func(name string, v any, is bool) {
		if is {
			fmt.Fprintf(b, "  %s: %v\n", name, v)
		}
	}
	show("name", a.Name, a.Name != a.Slug)
	show("description", a.Description, a.Description != "")
	show("model", fmt.Sprint(a.Model.ID, a.Model.Params), a.Model.ID != "")
	show("instructions", fmt.Sprintf("%q", a.Instructions), a.Instructions != "")
	show("limits", fmt.Sprintf("%+v", a.Limits), a.Limits != agent.Limits{})
	show("concurrency", a.Concurrency.MaxRunningTurns, a.Concurrency.MaxRunningTurns != 0)
	show("approvals", a.Approvals.Timeout, a.Approvals.Timeout != 0)
	show("local", renderLocal(a.Local), a.Local != agent.Local{})
	show("compaction", a.Compaction.ThresholdPercent, a.Compaction != agent.Compaction{})
	show("instructions for each session", true, a.InstructionsFor != nil)
	show("harness", a.Harness, a.Harness != nil)
	show("extra", a.Extra, a.Extra != nil)
	for _, t := range a.Tools {
		renderTool(b, t)
	}
	renderSlots(b, a)
	renderMounts(b, a)
	for _, d := range a.Diagnostics {
		renderDiagnostic(b, d)
	}
}

func renderLocal(l agent.Local) string {
	text := fmt.Sprintf("cwd=%s workspaceDir=%s sandbox=%s", l.Cwd, l.WorkspaceDir, l.Sandbox)
	if l.Ambient != nil {
		text += fmt.Sprintf(" ambient=%v", *l.Ambient)
	}
	return text
}

func renderSlots(b *strings.Builder, a *agent.Agent) {
	for _, c := range a.Connections {
		fmt.Fprintf(b, "  connection %s (%s): %q url=%q%v command=%q%q%v cwd=%q agent=%q host=%v shown=%v allow=%v deny=%v approval=%v effect=%v oauth=%v optional=%v\n",
			c.Name, c.Source, c.Description, c.URL, c.Headers, c.Command, c.Args, c.Env, c.Cwd, c.Agent, c.HostOnly, c.Advertise, c.Allow, c.Deny, c.NeedsApproval, c.Effect, c.OAuth, c.Optional)
	}
	for _, h := range a.Hooks {
		fmt.Fprintf(b, "  hook %s (%s): %s\n", h.Name, h.Source, strings.Join(slices.Sorted(maps.Keys(h.On)), " "))
	}
	if a.Auth != nil {
		fmt.Fprintf(b, "  auth: %s\n", renderAuth(a.Auth))
	}
	for _, c := range a.Schedules {
		fmt.Fprintf(b, "  schedule %s (%s): %s %s overlap=%s catchUp=%v run=%v %q\n", c.ID, c.Source, c.Cron, c.TimeZone, c.Overlap, c.CatchUp, c.Run != nil, c.Markdown)
	}
	for _, c := range a.Channels {
		renderChannel(b, c)
	}
	for _, k := range a.Skills {
		fmt.Fprintf(b, "  skill %s (%s): %s\n    %q\n", k.Name, k.Source, k.Description, k.Markdown)
		renderFiles(b, k.Files)
	}
	for _, s := range a.Subagents {
		fmt.Fprintf(b, "  subagent %s (%s): %s\n    %q\n", s.Name, s.Source, s.Description, s.Instructions)
	}
	if r := a.Result; r != nil {
		fmt.Fprintf(b, "  result: repairs=%d schema=%s\n", r.MaxRepairs, r.Schema)
	}
	if r := a.Artifacts; r != nil {
		fmt.Fprintf(b, "  artifacts: max=%d agentTool=%v\n", r.Max, r.AgentTool)
		for _, name := range slices.Sorted(maps.Keys(r.Kinds)) {
			fmt.Fprintf(b, "    kind %s: %s schema=%s parse=%v\n", name, r.Kinds[name].Description, r.Kinds[name].Schema, r.Kinds[name].Parse != nil)
		}
	}
	if len(a.Seeds) > 0 {
		b.WriteString("  seeds\n")
		renderFiles(b, a.Seeds)
	}
}

func renderAuth(list []agent.AuthPolicy) string {
	texts := make([]string, len(list))
	for i, p := range list {
		texts[i] = strings.TrimSuffix(fmt.Sprint(p.Kind, " ", p.Header), " ")
		if len(p.Secrets) > 0 {
			texts[i] += fmt.Sprint(" ", p.Secrets)
		}
		if p.JWT != nil {
			texts[i] += fmt.Sprintf(" %+v", *p.JWT)
		}
	}
	return strings.Join(texts, ", ")
}

func renderChannel(b *strings.Builder, c *agent.Channel) {
	fmt.Fprintf(b, "  channel %s (%s): %s\n    admission=%s acknowledge=%v approvals=%v state=%s onStart=%v\n", c.ID, c.Source, c.Description, c.Admission, c.Acknowledge, c.Approvals, c.State, c.OnStart != nil)
	if c.Auth != nil {
		fmt.Fprintf(b, "    auth: %s\n", renderAuth(c.Auth))
	}
	for _, r := range c.Routes {
		fmt.Fprintf(b, "    %s %s: %s\n", r.Method, r.Path, r.Description)
		if r.BodySchema != nil {
			fmt.Fprintf(b, "      body %s\n", r.BodySchema)
		}
		if r.QuerySchema != nil {
			fmt.Fprintf(b, "      query %s\n", r.QuerySchema)
		}
		if r.Acknowledge != nil {
			fmt.Fprintf(b, "      acknowledge %v\n", *r.Acknowledge)
		}
	}
	if len(c.On) > 0 {
		fmt.Fprintf(b, "    on %s\n", strings.Join(slices.Sorted(maps.Keys(c.On)), " "))
	}
}

func renderFiles(b *strings.Builder, files []agent.SeedFile) {
	for _, f := range files {
		fmt.Fprintf(b, "    file %s: %q\n", f.Path, f.Content)
	}
}

func renderTool(b *strings.Builder, t *agent.Tool) {
	fmt.Fprintf(b, "  tool %s: %s effect=%s approval=%s", t.Name, t.Execution, t.Effect, t.NeedsApproval)
	if t.Title != "" {
		fmt.Fprintf(b, " title=%q", t.Title)
	}
	if t.Idempotent {
		b.WriteString(" idempotent")
	}
	if t.Timeout != agent.DefaultTimeout {
		fmt.Fprintf(b, " timeout=%s", t.Timeout)
	}
	if len(t.TimeArguments) > 0 {
		fmt.Fprintf(b, " times=%v", t.TimeArguments)
	}
	if t.DryRun != nil {
		b.WriteString(" dryRun")
	}
	fmt.Fprintf(b, "\n    %s\n    in %s\n", t.Description, t.InputSchema)
	if t.OutputSchema != nil {
		fmt.Fprintf(b, "    out %s\n", t.OutputSchema)
	}
}

func renderDiagnostic(b *strings.Builder, d agent.Diagnostic) {
	fmt.Fprintf(b, "  %s %s\n    ", d.Severity, d.Rule)
	if d.File != "" {
		b.WriteString(d.File)
		if d.Line > 0 {
			fmt.Fprintf(b, ":%d", d.Line)
		}
		if d.Column > 0 {
			fmt.Fprintf(b, ":%d", d.Column)
		}
		b.WriteString(": ")
	}
	fmt.Fprintf(b, "%s\n    fix: %s\n", d.Message, d.Fix)
}

//go:build unix

package project

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/plainfile"
)

// "loads the project: every diagnostic with file, line, column, rule id and a fix": a
// pipe, a device and a file without end are three, and nobody waits for them.
func TestLoad_WhatIsNoPlainFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "demo")
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	writeFile(t, at("bot/instructions.md"), []byte("Here."))
	writeFile(t, at("bot/skills/long.md"), []byte("---\ndescription: Long.\n---\n"))
	if err := os.Truncate(at("bot/skills/long.md"), plainfile.MaxBytes+1); err != nil {
		t.Fatal(err)
	}
	pipes := []string{"bot/agent.ts", "bot/hooks/h.ts", "bot/script.yaml", "bot/skills/p.md", "bot/skills/s/SKILL.md", "bot/subagents/sub/agent.ts", "bot/tools/x.ts"}
	for _, name := range pipes {
		err := errors.Join(os.MkdirAll(filepath.Dir(at(name)), 0o755), syscall.Mkfifo(at(name), 0o644))
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink("/dev/zero", at("package.json")), os.Symlink("/dev/zero", at("bot/result.ts"))); err != nil {
		t.Fatal(err)
	}
	agents, err := Load(context.Background(), dir, &Options{Env: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeAll(agents) })
	var refused []string
	for _, d := range agents[0].Diagnostics {
		if d.Rule == ruleUnreadable && d.Severity == agent.SeverityError {
			refused = append(refused, d.File)
		}
	}
	want := append(slices.Clone(pipes), "bot/result.ts", "bot/skills/long.md", "package.json")
	slices.Sort(want)
	slices.Sort(refused)
	if !slices.Equal(refused, want) {
		t.Errorf("refused are\n%q, want\n%q", refused, want)
	}
}

// The same for what is read by itself, or imported: the file that asks for it is at fault.
func TestLoad_PipesThatAreReadOnTheWay(t *testing.T) {
	t.Parallel()
	for pipe, want := range map[string]string{
		"bot/lib/x.ts":      "module/load bot/tools/clock.ts",
		"bot/lib/data.json": "module/load bot/tools/clock.ts",
		"bot/lib/note.md":   "module/load bot/tools/clock.ts",
		"tsconfig.json":     "module/load tsconfig.json",
		"bot/tsconfig.json": "module/load bot/tsconfig.json",
		".env":              "env/missing-file .env",
	} {
		t.Run(pipe, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "demo")
			at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
			files := map[string]string{
				"bot/instructions.md": "Here.", "bot/lib/x.ts": "export const x = 1;", "bot/lib/data.json": "{}", "bot/lib/note.md": "Note.", ".env": "A=1\n",
				"bot/tools/clock.ts": `import { defineTool } from "@cursor/bdk/tools"; import { x } from "../lib/x.ts"; import data from "../lib/data.json"; import note from "../lib/note.md";
export default defineTool({ description: "Tells.", inputSchema: { type: "object" }, execute: () => [x, data, note] });`,
			}
			delete(files, pipe)
			for name, text := range files {
				writeFile(t, at(name), []byte(text))
			}
			if err := syscall.Mkfifo(at(pipe), 0o644); err != nil {
				t.Fatal(err)
			}
			agents, err := Load(context.Background(), dir, &Options{Env: []string{}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { closeAll(agents) })
			var found []string
			for _, d := range agents[0].Diagnostics {
				if strings.HasSuffix(d.Message, " cannot be read: "+plainfile.ErrNotPlain.Error()) {
					found = append(found, d.Rule+" "+d.File)
				}
			}
			if !slices.Equal(found, []string{want}) {
				t.Errorf("found %q, want %q, in %v", found, want, agents[0].Diagnostics)
			}
		})
	}
}

package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// manyTools writes a project whose description is far larger than a pipe holds.
func manyTools(t *testing.T, n int) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "many")
	tools := filepath.Join(dir, "bot/tools")
	err := errors.Join(os.MkdirAll(tools, 0o755), os.WriteFile(filepath.Join(dir, "bot/instructions.md"), []byte("Help.\n"), 0o644))
	about := bytes.Repeat([]byte("What it is for. "), 100)
	for i := range n {
		text := fmt.Sprintf("import { defineTool } from \"@cursor/bdk/tools\";\nexport default defineTool({ description: %q, inputSchema: { type: \"object\", properties: {} }, execute: () => %d });\n", about, i)
		err = errors.Join(err, os.WriteFile(filepath.Join(tools, fmt.Sprintf("tool_%03d.ts", i)), []byte(text), 0o644))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// cli.md: "Output is drained before exit, whatever it is piped to": here a pipe whose
// reader takes a little at a time, long after the command has all to say.
func TestInfo_IsWholeThroughASlowPipe(t *testing.T) {
	t.Parallel()
	const tools = 200
	dir := manyTools(t, tools)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Args = []string{"bdk", "info", "--json", "--dir", dir}
	cmd.Stdout = write
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := errors.Join(cmd.Start(), write.Close()); err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	for {
		_, err := io.CopyN(&got, read, 61)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	var out struct {
		Agents []struct {
			Name, Runtime string
			Diagnostics   []any
			Instructions  struct{ Chars int }
			Tools         []struct {
				Name, Execution, Effect string
				InputSchema             struct{ Type string }
			}
		}
	}
	if err := json.Unmarshal(got.Bytes(), &out); err != nil {
		t.Fatalf("%d bytes came, and they are cut: %v", got.Len(), err)
	}
	a := out.Agents[0]
	if got.Len() < 256<<10 || len(a.Tools) != tools || a.Runtime != "local" || len(a.Diagnostics) != 0 || a.Instructions.Chars != 5 {
		t.Errorf("%d bytes, %d tools, %q, %v, %d characters", got.Len(), len(a.Tools), a.Runtime, a.Diagnostics, a.Instructions.Chars)
	}
	for i, tool := range a.Tools {
		if tool.Name != fmt.Sprintf("tool_%03d", i) || tool.Execution != "server" || tool.Effect != "read" || tool.InputSchema.Type != "object" {
			t.Errorf("tool %d is %+v", i, tool)
		}
	}
}

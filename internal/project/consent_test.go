package project

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
)

// "Loading/validating a project never starts processes, or opens sockets (module
// scope may read the environment)"
func TestLoad_StartsNothing(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var opened atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			opened.Store(true)
			_ = c.Close()
		}
	}()
	dir := filepath.Join(t.TempDir(), "eager")
	mark := filepath.Join(dir, "mark")
	for name, text := range map[string]string{
		"bot/instructions.md": "Here.",
		"bot/tools/fetches.ts": `
await fetch("http://" + process.env.ADDRESS + "/").catch(() => {});
` + plainTool,
		"bot/tools/spawns.ts": `
import { execFileSync } from "node:child_process";
try { execFileSync("touch", [process.env.MARK!]); } catch {}
` + plainTool,
		"bot/tools/spawns_later.ts": `
import { execFile } from "node:child_process";
await new Promise((done) => { try { execFile("touch", [process.env.MARK!], done); } catch { done(null); } });
` + plainTool,
	} {
		writeFile(t, filepath.Join(dir, name), []byte(text))
	}
	agents, err := Load(context.Background(), dir, &Options{Env: []string{"ADDRESS=" + listener.Addr().String(), "MARK=" + mark, "PATH=" + os.Getenv("PATH")}})
	if err != nil {
		t.Fatal(err)
	}
	closeAll(agents)
	if _, err := os.Stat(mark); err == nil {
		t.Error("loading has started a process")
	}
	_ = listener.Close()
	<-done
	if opened.Load() {
		t.Error("loading has opened a socket")
	}
}

const plainTool = `
import { defineTool } from "@cursor/bdk/tools";
export default defineTool({ description: "Here.", inputSchema: { type: "object" }, execute: () => 1 });
`

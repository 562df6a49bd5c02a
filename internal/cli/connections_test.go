package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// A connection of an agent to itself is warned of where the project is checked.
func TestValidate_SaysThatAgentsAskEachOther(t *testing.T) {
	t.Parallel()
	b := newBench(t, "init", "bot", "--model", "scripted")
	b.want(t, ExitOK, "", "")
	dir := filepath.Join(b.Dir, "bot", "bot", "mcp-connections")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	text := `import { defineConnection } from "@cursor/bdk/connections"; export default defineConnection({ agent: "bot" });`
	if err := os.WriteFile(filepath.Join(dir, "me.ts"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	newBench(t, "validate", "--dir", filepath.Join(b.Dir, "bot")).want(t, ExitOK, "the connection me leads back to the agent that asks: bot → bot [connection/circle]", "")
}

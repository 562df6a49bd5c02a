package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

// "The same data appears under `extensions` in `GET /v1/info`", and dev reloads when the
// package of a mount changes that lies in the folder.
func TestDev_ReloadsWhatIsMounted(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "demo")
	say := func(word string) {
		write(t, filepath.Join(dir, "packages/kit/tools/word.ts"), fmt.Sprintf(`import { defineTool } from "@cursor/bdk/tools";
export default defineTool({ description: "A word.", inputSchema: { type: "object" }, execute: () => %q });
`, word))
	}
	say("one")
	write(t, filepath.Join(dir, "bot/instructions.md"), "Help.\n")
	write(t, filepath.Join(dir, "packages/kit/extension.ts"), `import { defineExtension } from "@cursor/bdk/extensions";
export default defineExtension({ root: import.meta.dirname, description: "A kit." });
`)
	write(t, filepath.Join(dir, "bot/extensions/kit.ts"), `import kit from "../../packages/kit/extension.js";
export default kit();
`)
	h := startDev(t, dir)
	says := func(word string) {
		t.Helper()
		if got := h.ask("POST", "/demo/v1/tools/kit__word", "{}"); !strings.Contains(got, fmt.Sprintf(`"result":%q`, word)) {
			t.Errorf("the tool gives %s, want %q", got, word)
		}
	}
	says("one")
	var info struct{ Extensions []agent.Mount }
	if err := json.Unmarshal([]byte(h.ask("GET", "/demo/v1/info", "")), &info); err != nil || len(info.Extensions) != 1 {
		t.Fatalf("info has %+v, %v", info, err)
	}
	if m := info.Extensions[0]; m.Namespace != "kit" || m.Description != "A kit." || len(m.Contributions) != 1 || m.Contributions[0].Name != "kit__word" {
		t.Errorf("the mount is %+v", m)
	}
	say("two")
	h.err.await(t, `"message":"reloaded"`, 1)
	says("two")
}

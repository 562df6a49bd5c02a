package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/gobdk/bdk/test/oauthserver"
)

// A call of a connection that nobody has authorized waits with a link, which leads to the
// server's own page, apart from this one; whoever comes back from it sees the call go on.
func TestGrant_AClickOnTheLink(t *testing.T) {
	t.Parallel()
	h := prepare(t, "testdata/switchboard")
	file := filepath.Join(h.dir, "bot", "mcp-connections", "door.ts")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	code := fmt.Sprintf("import { defineConnection } from \"@cursor/bdk/connections\";\nexport default defineConnection({ url: %q, oauth: true, advertiseTools: true });\n", oauthserver.Start(t))
	if err := os.WriteFile(file, []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	h.start()
	b := newTab(t)
	b.open(h.page("chat"))
	b.says("/call door__hello {}")
	b.sees("Press Enter again to send this to the agent")
	b.enter()
	b.sees("door wants to be authorized")
	b.until(`document.querySelector("main header").innerText.includes("needs you")`)
	const link = `[...document.querySelectorAll("main a")].find((a) => a.innerText.startsWith("Authorize at 127.0.0.1:"))`
	b.until(link + `?.rel === "noopener noreferrer" && ` + link + `.target === "_blank" && !t.control("Approve")`)
	b.settle()
	b.hold("authorize")
	b.press(link)
	b.sees("door: granted")
	b.sees("hello from behind the door")
	b.until(`!document.querySelector("main header").innerText.includes("needs you")`)
}

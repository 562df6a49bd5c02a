package browser

import (
	"os"
	"path/filepath"
	"testing"
)

// "In multi-agent mode, each agent has its own playground, and / lists them all": each leads
// to the others and to the list, and greets with what its agent is.
func TestShell_LeadsToOtherAgents(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "two")
	for _, from := range []string{"../projects/pr-reviewer", "testdata/mirror"} {
		if err := os.CopyFS(filepath.Join(dir, filepath.Base(from)), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	h := prepare(t, dir)
	h.start()
	b := newTab(t)
	for _, width := range []int64{wide, phone} {
		b.look(width, "light")
		b.open(h.origin + "/pr-reviewer/playground")
		b.click("Other agents")
		b.until(`t.control("PR reviewer").closest("#agents") || document.querySelector("#agents [aria-current]")`)
		b.settle()
		b.hold("agents")
		b.press(`document.querySelector("#agents a:not([aria-current])")`)
		b.until(`location.pathname !== "/pr-reviewer/playground" && location.pathname.endsWith("/playground")`)
		b.until(`document.querySelector(".hello h1")?.innerText === document.querySelector(".agent").innerText`)
		b.click("All agents")
		b.until(`location.pathname === "/" && document.body.innerText.includes("PR reviewer")`)
	}
}

// "With --no-docs" there is nothing to lead to; where there is, a phone shows it too.
func TestShell_LeadsToTheDocsThatAreThere(t *testing.T) {
	t.Parallel()
	with, without := sample(t, "pr-reviewer"), sample(t, "pr-reviewer", "--dev", "--no-docs")
	b := newTab(t)
	for _, width := range []int64{wide, phone} {
		b.look(width, "light")
		b.open(with.page("chat"))
		b.until(`document.querySelector(".hello")`)
		b.until(`t.control("Docs").getBoundingClientRect().right <= innerWidth`)
		b.open(without.page("chat"))
		b.until(`document.querySelector(".hello")`)
		if value[bool](b, `Boolean(t.control("Docs"))`) {
			t.Errorf("at %d px a host without documentation has a link to it", width)
		}
	}
	for _, view := range []string{"runs", "evals", "artifacts", "schedules", "agent", "costs", "logs"} {
		b.open(without.page(view))
		b.until(`document.querySelector("main h1")`)
		b.settle()
		if value[bool](b, `Boolean(document.querySelector("a[href*='/docs']"))`) {
			t.Errorf("without documentation %s leads to it", view)
		}
	}
}

// "The token field in the navbar": it is there always, its button when it would do something,
// and a token can be taken back. A wrong one is said to be wrong.
func TestToken_IsUsedAndForgotten(t *testing.T) {
	t.Parallel()
	const secret = "a-long-enough-secret-of-a-test"
	h := prepare(t, "../projects/pr-reviewer", "--bearer-token", secret)
	h.start()
	b := newTab(t)
	b.expect(`401`)
	b.open(h.page("chat"))
	b.sees("This host wants a token")
	b.until(`t.name(document.activeElement) === "Token"`)
	b.types("wrong")
	b.enter()
	b.until(`document.querySelector(".gate [role=alert]")?.innerText === "It does not admit this one."`)
	b.until(`t.name(document.activeElement) === "Token"`)
	value[bool](b, `(document.activeElement.select(), true)`)
	b.types(secret)
	b.enter()
	b.until(`document.querySelector(".hello h1")`)
	if value[bool](b, `Boolean(t.control("Use"))`) {
		t.Error("there is nothing new to use, and still a button for it")
	}
	b.tabTo("Forget the token")
	b.enter()
	b.sees("This host wants a token")
	if value[bool](b, `JSON.stringify(sessionStorage).includes(%s) || document.querySelector("#token-gate").value !== ""`, secret) {
		t.Error("the token was not forgotten")
	}
	b.types(secret)
	b.enter()
	b.until(`t.control("Forget the token")`)
	b.write("Token", "x")
	b.until(`t.control("Use") && !t.control("Forget the token")`)
	b.look(phone, "dark")
	b.settle()
	b.hold("token-typed")
}

// Whom the agent admits and the host does not can use the page: what the host keeps for
// itself says so, and locks nothing.
func TestShell_WithoutWhatTheHostKeeps(t *testing.T) {
	t.Parallel()
	h := prepare(t, "../projects/pr-reviewer", "--bearer-token", "a-long-enough-secret-of-a-test")
	const open = "import { defineAgent } from \"@cursor/bdk\";\nimport { allowAll } from \"@cursor/bdk/channels\";\nexport default defineAgent({ name: \"PR reviewer\", auth: [allowAll()] });\n"
	if err := os.WriteFile(filepath.Join(h.dir, "bot", "agent.ts"), []byte(open), 0o644); err != nil {
		t.Fatal(err)
	}
	h.start()
	b := newTab(t)
	b.expect(`401`)
	b.open(h.page("chat"))
	b.says("hello")
	b.sees("I look after the pull requests")
	for view, says := range map[string]string{"Evals": "Evals cannot be shown.", "Logs": "The log cannot be shown."} {
		b.click(view)
		b.sees(says)
		b.settle()
		b.hold("withheld-" + view)
	}
	b.click("Runs")
	b.sees("I look after the pull requests")
}

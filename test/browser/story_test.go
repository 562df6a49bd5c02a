package browser

import (
	"strings"
	"testing"
	"time"
)

// "A browser test does, by clicks alone: chat, approve, watch the trace, find yesterday's
// session, fork it, run an eval, read the docs page that explains what it saw".
func TestStory_ByClicksAlone(t *testing.T) {
	t.Parallel()
	h := sample(t, "pr-reviewer")
	first := h.ask("POST", "/v1/session", map[string]any{"message": "review 9", "title": "The lamp of today"})["sessionId"].(string)
	old := h.remember(past{like: h.turn(first), ago: 26 * time.Hour, title: "The lamp of yesterday"})[0]
	b := newTab(t)
	b.open(h.origin + "/")
	b.click("Open the playground")

	b.chatAndApprove()
	b.watchTrace()
	b.findAndFork(old)
	b.runEvalsAndRead()
}

func (b *tab) chatAndApprove() {
	b.t.Helper()
	b.write("Message", "merge 7")
	b.click("Send")
	b.sees("merge_pr wants your approval")
	b.click("Approve")
	b.sees("Merged #7 with squash.")
	b.snap("story-chat")
}

func (b *tab) watchTrace() {
	b.t.Helper()
	b.press(`document.querySelector("[aria-label='This session'] a[href^='#/trace/']")`)
	b.until(`[...document.querySelectorAll(".tr")].some((row) => row.innerText.includes("merge_pr"))`)
	b.press(`[...document.querySelectorAll(".tr")].find((row) => row.innerText.includes("merge_pr"))`)
	b.until(`document.querySelector("aside.pane")?.innerText.includes("squash")`)
	b.snap("story-trace")
}

func (b *tab) findAndFork(old string) {
	b.t.Helper()
	b.click("Runs")
	b.write("Search titles and ids", "lamp of yest")
	b.until(`document.querySelector("main").innerText.includes("1 session") && !document.querySelector("main").innerText.includes("lamp of today")`)
	b.snap("story-runs")
	b.click("The lamp of yesterday")
	b.until(`location.hash === %s`, "#/chat/"+old)
	b.sees("review 9")

	b.press(`document.querySelector("[aria-label='This session'] a[href^='#/trace/']")`)
	b.click("Fork from here")
	b.until(`location.hash.startsWith("#/chat/ses_") && location.hash !== %s`, "#/chat/"+old)
	b.until(`[...document.querySelectorAll(".session-head .chip")].some((c) => c.innerText === "fork")`)
	b.write("Message", "review 7")
	b.click("Send")
	b.sees("good to merge")
	b.snap("story-fork")
}

func (b *tab) runEvalsAndRead() {
	b.t.Helper()
	b.click("Evals")
	b.click("Run all 6 cases")
	b.until(`/6 (cases )?passed|passed 6/i.test(document.querySelector("main").innerText.replace(/\s+/g, " "))`)
	b.snap("story-evals")

	b.click("Docs")
	b.until(`location.pathname.startsWith("/docs")`)
	b.press(`document.querySelector("[role=search] input")`)
	b.types("playground")
	b.press(`[...document.querySelectorAll("[role=search] [role=option]")].find((el) => el.innerText.startsWith("The playground"))`)
	b.until(`location.pathname === "/docs/playground" && document.querySelector("main h1")`)
	text := value[string](b, `document.querySelector("main").innerText.toLowerCase()`)
	for _, word := range []string{"approve", "trace", "fork", "evals", "runs"} {
		if !strings.Contains(text, word) {
			b.t.Errorf("the page of the playground does not speak of %s", word)
		}
	}
	b.snap("story-docs")
}

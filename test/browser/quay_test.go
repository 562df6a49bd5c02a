package browser

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/events"
)

// quay serves a project that has something of everything: tools, skills, subagents, a
// connection that does not answer, channels, hooks, schedules, kinds of artifacts, evals.
func quay(t *testing.T) *host {
	t.Helper()
	h := prepare(t, "testdata/quay", "--dev")
	h.start()
	return h
}

// papers are artifacts of every kind of preview, and what each shows.
var papers = []struct {
	title, contentType, fileName, text, shows string
}{
	{"A plain note", "text/plain", "note.txt", "The lamp is lit.", "The lamp is lit."},
	{"A survey", "text/markdown", "survey.md", "# Berth A\n\n- depth: **4.2 m**\n\n[chart](javascript:window.__xss=1) ![x](http://attacker.example/x.png)", "Berth A"},
	{"Figures", "application/json", "figures.json", `{"berth":"A","depths":[4.2,6.1],"note":"<img src=x onerror=window.__xss=1>"}`, `"berth": "A"`},
	{"A page", "text/html", "page.html", `<h1 id=main>Quay</h1><script>window.__xss=1</script><img src=http://attacker.example/y.png>`, "<h1 id=main>Quay</h1>"},
	{"A vector drawing", "image/svg+xml", "berth.svg", `<svg xmlns="http://www.w3.org/2000/svg" onload="window.__xss=1"><circle r="9"/></svg>`, "<circle r="},
	{"A table", "text/csv", "berths.csv", "berth,depth\nA,4.2\nB,3.9\n", "berth,depth"},
	{"A chart as PDF", "application/pdf", "chart.pdf", "%PDF-1.4\n%nothing", "There is no preview of application/pdf"},
	{"A log of bytes", "application/octet-stream", "dump.bin", "\x00\x01\x02", "There is no preview of application/octet-stream"},
	{"No image", "image/png", "broken.png", "<script>window.__xss=1</script>", "no image that the browser can show"},
	{"A drawing", "image/png", "berth.png", "", "img"},
	{`<img src=x onerror="window.__xss=1">`, "text/plain", `..\..\<b>.txt`, `<script>window.__xss=1</script>`, "<script>window.__xss=1</script>"},
}

// dot is a picture of one point.
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC"

// file makes the papers in one session, and gives its id.
func (h *host) file() string {
	h.t.Helper()
	var calls []string
	for i, p := range papers {
		body := map[string]any{"kind": "paper", "key": fmt.Sprintf("paper-%d", i), "title": p.title, "contentType": p.contentType, "fileName": p.fileName}
		switch {
		case p.text == "":
			body["kind"], body["base64"] = "picture", dot
		case p.contentType == "application/octet-stream":
			body["base64"] = base64.StdEncoding.EncodeToString([]byte(p.text))
		default:
			body["text"] = p.text
		}
		text, err := json.Marshal(body)
		if err != nil {
			h.t.Fatal(err)
		}
		calls = append(calls, "/call make_paper "+string(text))
	}
	calls = append(calls, `/call make_paper {"kind":"berth","key":"A","title":"Berth A","data":{"metres":4.2}}`)
	return h.talk(strings.Join(calls, "\n"))
}

// season is what a harbour asks in some weeks, in the form of a turn: several a day, of
// three models, newest last.
func season(turn []events.Event, days int) []past {
	var all []past
	asks := []string{"How deep is berth %d at low tide?", "Bill the ferry for week %d", "Who lies at berth %d?", "Write to the master of the Aurora %d", "Sum up night %d"}
	for day := days; day > 0; day-- {
		for n := range 2 + (day*7)%5 {
			at := day*5 + n
			p := past{like: turn, said: fmt.Sprintf(asks[at%5], at), reply: fmt.Sprintf("That is paper %d, filed under the day.", at), ago: time.Duration(day)*24*time.Hour - time.Duration(n)*time.Hour, tokens: int64(900 + at*137%4000)}
			p.model = []string{"anthropic/claude-sonnet-4-5", "openai/gpt-5-mini", "anthropic/claude-haiku-4-5"}[at%3]
			p.usd = float64(p.tokens) * []float64{9e-6, 1.5e-6, 3e-6}[at%3]
			if at%3 == 0 {
				p.title = p.said
			}
			all = append(all, p)
		}
	}
	return all
}

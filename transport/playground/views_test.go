package playground

import "testing"

// "Browse the sessions you own …. Search by title or identifier": the host searches, and
// what is shown stays whole while sessions move to the top.
func TestRuns_Pages(t *testing.T) {
	l := newLogic(t, "views/runs/pages")
	l.run(`
		var row = (id, minute) => ({ id, updatedAt: "2026-03-01T10:" + String(minute).padStart(2, "0") + ":00Z" });
		var ids = (p) => [p.rows.map((r) => r.id).join(""), p.cursor];
		var old = { rows: [row("a", 9), row("b", 8), row("c", 7), row("d", 6)], cursor: "d" };`)
	for expression, want := range map[string]string{
		`address({ q: " a&b ", status: "parked", purpose: "" }, 50)`:                                                         `"/v1/sessions?limit=50&q=a%26b&status=parked"`,
		`address({ q: "", status: "", purpose: "eval" }, 50, "x=")`:                                                          `"/v1/sessions?limit=50&purpose=eval&cursor=x%3D"`,
		`ids(renewed(old, { rows: [row("d", 10), row("a", 9)], cursor: "a" }))`:                                              `["dabc","d"]`,
		`ids(renewed(old, { rows: [row("a", 9), row("c", 7)], cursor: "c" }))`:                                               `["acd","d"]`,
		`ids(renewed(old, { rows: [row("a", 9)], cursor: "" }))`:                                                             `["a",""]`,
		`ids(renewed({ rows: [], cursor: "" }, { rows: [row("a", 9)], cursor: "a" }))`:                                       `["a","a"]`,
		`ids(continued(old, { rows: [row("b", 5), row("e", 4)], cursor: "" }))`:                                              `["abcde",""]`,
		`kinds({ mode: "task", purpose: "eval", forkedFrom: {} })`:                                                           `["task","eval","fork"]`,
		`kinds({ mode: "chat", purpose: "live" })`:                                                                           `[]`,
		`["", "X7", "smoke talk", "nothing"].map((w) => fits({ runId: "1-x7", tags: ["smoke"], filterIds: ["talk/a"] }, w))`: `[true,true,true,false]`,
	} {
		l.want(expression, want)
	}
}

// "Logs | Recent server log lines, polled": a host that was started again numbers from 1.
func TestLogs_Lines(t *testing.T) {
	l := newLogic(t, "views/logs/lines")
	l.run(`
		var line = (n, message = "m" + n, level = "info", fields = {}) => ({ n, at: "", level, message, fields });
		var said = (k) => k.entries.map((e) => e.line ? e.line.message : "|").join(" ");
		var k = new Lines(), first = [k.add([line(1), line(2)], 2), k.add([], 2), k.add([line(3)], 3)], before = said(k);
		k.add([line(1), line(2, "n2")], 2);
		var late = new Lines(); late.add([line(11)], 11); late.add([line(15)], 15);
		var full = new Lines(); for (var i = 1; i <= 6000; i++) full.add([line(i)], i);`)
	for expression, want := range map[string]string{
		`first`:                       `[true,false,true]`,
		`before`:                      `"m1 m2 m3"`,
		`[said(k), k.next, k.missed]`: `["m1 m2 m3 | m1 n2",2,0]`,
		`new Set(k.entries.map((e) => e.key)).size`: `6`,
		`late.missed`: `13`,
		`[full.entries.length, full.entries[0].line.n]`:                                                                `[5000,1001]`,
		`["debug", "info", "warn", "error", "odd"].map((x) => fits({ key: "", line: line(1, "", x) }, "warn", ""))`:    `[false,false,true,true,true]`,
		`["A", "bell", "b\": 1", "x"].map((w) => fits({ key: "", line: line(1, "a bell", "info", { b: 1 }) }, "", w))`: `[true,true,false,false]`,
		`[fits({ key: "" }, "error", ""), fits({ key: "" }, "", "x")]`:                                                 `[true,false]`,
		`fields(line(1, "", "info", { a: "x\n{\"level\"}\u202e", b: { c: 1 } }))`:                                      `[["a","x {\"level\"}\\u{202e}"],["b","{\"c\":1}"]]`,
		`whole({ key: "", line: line(1, "m\u001b]0;", "info", { a: "x\ny", b: [1] }) })`:                               `"m\\u{1b}]0;\na: x\ny\nb: [\n  1\n]"`,
	} {
		l.want(expression, want)
	}
}

// What could run is shown as its text, whatever it is called.
func TestArtifacts_Kind(t *testing.T) {
	l := newLogic(t, "views/artifacts/kind")
	for expression, want := range map[string]string{
		`["image/png", "image/svg+xml", "IMAGE/SVG+XML; charset=utf-8", "text/html", "application/xhtml+xml", "text/markdown; charset=utf-8", "application/json", "application/ld+json", "text/csv", "application/pdf", "image/tiff"].map((x) => shape(x))`: `["image","text","text","text","text","markdown","json","json","text","none","none"]`,
		`["a.md", "a.json", "a.svg", "a.html", "a.go", "a.png", "a"].map((x) => shape("application/octet-stream", x))`:                                                                                                                                      `["markdown","json","text","text","text","none","none"]`,
		`shape("text/html", "a.png")`:               `"text"`,
		`shape(undefined)`:                          `"none"`,
		`[0, 1, 999, 1000, 20_500, 3e9].map(bytes)`: `["0 bytes","1 byte","999 bytes","1.0 KB","21 KB","3.0 GB"]`,
		`["../../etc/passwd", "a\\b.md", "..hidden", "", "x\u202egnp.exe", "a:b?c"].map(fileName)`: `["passwd","b.md","hidden","artifact","x_gnp.exe","a_b_c"]`,
	} {
		l.want(expression, want)
	}
}

// "Schedules with … next": told as how long it is until then.
func TestSchedules_Until(t *testing.T) {
	l := newLogic(t, "views/schedules/until", "format")
	l.run(`var now = Date.parse("2026-03-01T10:00:00Z"), at = (s) => until(new Date(now + s * 1000).toISOString(), now, duration);`)
	l.want(`[-5, 30, 60, 90, 3600, 5400, 86400 * 3].map(at)`, `["now","within a minute","in 1 min","in 2 min","in 1 h","in 1 h 30 min","in 3 d"]`)
}

// "Find yesterday's session": rows stand under their days, by the reader's clock.
func TestRuns_Days(t *testing.T) {
	l := newLogic(t, "views/runs/days", "format")
	l.run(`var now = new Date(2026, 2, 11, 9, 0).getTime(), at = (day, hour) => new Date(2026, 2, day, hour, 30).toISOString();
		var rows = [at(11, 8), at(11, 0), at(10, 23), at(10, 1), at(5, 12)].map((updatedAt) => ({ updatedAt }));`)
	for expression, want := range map[string]string{
		`byDays(rows, now).slice(0, 4).map((x) => x.day)`:      `["Today","","Yesterday",""]`,
		`byDays(rows, now)[4].day.length > 5`:                  `true`,
		`byDays([], now)`:                                      `[]`,
		`dayName(at(11, 23), now)`:                             `"Today"`,
		`[0, 1].map((i) => timeOfDay(rows[i].updatedAt, now))`: `["30 min ago","8 h ago"]`,
		`timeOfDay(rows[2].updatedAt, now).includes("30") && !timeOfDay(rows[2].updatedAt, now).includes("ago")`: `true`,
	} {
		l.want(expression, want)
	}
}

// Schedules "with their sessions": what a schedule opened says so as its owner.
func TestSchedules_TheirSessions(t *testing.T) {
	l := newLogic(t, "views/schedules/opened")
	l.run(`var s = (id, kind, owner) => ({ id, principal: { kind, id: owner } });
		var all = [s("e", "app", "schedule:b"), s("d", "app", "schedule:a"), s("c", "user", "schedule:a"), s("b", "app", "reminder"), s("a", "app", "schedule:a"), s("9", "app", "schedule:a"), s("8", "app", "schedule:a")];`)
	l.want(`[...bySchedule(all)].map(([id, of]) => [id, of.map((x) => x.id).join("")])`, `[["b","e"],["a","da9"]]`)
	l.want(`[[], ["d"], ["f", "e", "d"]].map((newest) => merged(newest.map((id) => s(id)), all.slice(1, 4)).map((x) => x.id).join(""))`, `["dcb","dcb","fed"]`)
}

// What an artifact is, in a few letters.
func TestArtifacts_Badge(t *testing.T) {
	l := newLogic(t, "views/artifacts/kind")
	l.want(`[{ hasContent: false }, { hasContent: true, fileName: "a.md" }, { hasContent: true, contentType: "image/svg+xml" }, { hasContent: true, contentType: "text/plain; charset=utf-8", fileName: "x.<b>" }, { hasContent: true }].map(badge)`, `["{ }","MD","SVG","TXT","FILE"]`)
}

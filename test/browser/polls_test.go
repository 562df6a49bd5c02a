package browser

import "testing"

// polls lets the view that is open ask again, at once and not after seconds, until it was
// answered so often by what has path in its address.
func (b *tab) polls(path string, times int) {
	b.t.Helper()
	value[bool](b, `(async () => {
		const real = fetch;
		let answers = 0;
		globalThis.fetch = async (...all) => {
			const reply = await real(...all);
			if (String(all[0]).includes(%s)) answers++;
			return reply;
		};
		for (const wanted = %s; answers < wanted; await new Promise((done) => setTimeout(done, 40))) document.dispatchEvent(new Event("visibilitychange"));
		globalThis.fetch = real;
		await new Promise((done) => setTimeout(done, 100));
		return true;
	})()`, path, times)
}

// Rows of a search that failed at first do not come to stand among those of the one before.
func TestRuns_ASearchThatFailsMixesNothing(t *testing.T) {
	t.Parallel()
	h := quay(t)
	h.remember(h.talk("hello"), season(60))
	b := newTab(t)
	b.open(h.page("runs"))
	b.sees("50 and older sessions")
	b.click("Show older ones")
	b.sees("100 and older sessions")
	value[bool](b, `(globalThis.honest = fetch, globalThis.fetch = (...all) => (String(all[0]).includes("q=paper") ? Promise.reject(new Error("no answer")) : honest(...all)), true)`)
	b.write("Search titles and ids", "paper")
	b.sees("no answer")
	value[bool](b, `(globalThis.fetch = honest, true)`)
	b.polls("q=paper", 1)
	b.sees("50 and older sessions")
	b.until(`[...document.querySelectorAll(".run-name > a")].every((a) => a.innerText.includes("paper"))`)
	b.polls("q=paper", 1)
	b.sees("50 and older sessions")
}

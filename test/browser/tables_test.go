package browser

import "testing"

// A table of which only a part is in the page says how many rows it has, and which ones
// these are: every row counts, the head's and those of days as well.
func TestTables_CountTheirRows(t *testing.T) {
	t.Parallel()
	h := quay(t)
	h.file()
	first := h.talk("hello")
	h.remember(season(h.turn(first), 60)...)
	b := newTab(t)
	for _, v := range []struct {
		view, list string
		least      int
	}{{"runs", ".runs-list", 60}, {"artifacts", ".made-list", 13}, {"raw/" + first, ".raw-list", 7}, {"logs", ".logs-list", 2}} {
		b.open(h.page(v.view))
		b.until(`document.querySelectorAll(%s + " [role=row]").length > 1`, v.list)
		b.settle()
		b.counts(v.list)
		b.until(`(() => {
			const l = document.querySelector(%s), whole = Number(l.ariaRowCount), rows = [...l.querySelectorAll("[role=row]")];
			l.scrollTop = l.scrollHeight;
			return whole >= %s && Number(rows.at(-1).ariaRowIndex) === whole;
		})()`, v.list, v.least)
		b.settle()
		b.counts(v.list)
	}
	b.open(h.page("runs"))
	b.until(`document.querySelector(".run-day [role=rowheader]").ariaColSpan === "9" && document.querySelectorAll(".run-head [role=columnheader]").length === 9`)
}

// counts holds that the rows of a list in the page have numbers that follow each other, but
// after its head.
func (b *tab) counts(list string) {
	b.t.Helper()
	if at := value[[]int](b, `[...document.querySelectorAll(%s + " [role=row]")].map((r) => Number(r.ariaRowIndex)).filter((n, i, all) => i === 0 ? n < 1 : i === 1 ? n <= all[0] : n !== all[i - 1] + 1)`, list); len(at) > 0 {
		b.t.Errorf("%s: rows out of order at %v", list, at)
	}
}

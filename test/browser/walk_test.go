package browser

// walk goes through a surface with the Tab key: the focus is always seen, goes the way
// that the eye does, and comes out at the end.
func (b *tab) walk(l look) {
	b.t.Helper()
	value[bool](b, `checks.begin()`)
	seen := 0
	for range 60 {
		b.types("\t")
		faults := value[*[]string](b, `checks.focus()`)
		if faults == nil {
			break // out of the page, or around
		}
		for _, f := range *faults {
			b.t.Errorf("%s, focus: %s", l, f)
		}
		seen++
	}
	if seen < 2 {
		b.t.Errorf("%s, focus: the Tab key found %d controls", l, seen)
	}
}

package playground

import "testing"

// An effect that ended with what it was made in is not run again, and follows nothing.
func TestDOM_EndedEffectsStay(t *testing.T) {
	l := newLogic(t, "dom")
	l.run(`var a = signal(0), runs = 0, ended = 0; effect(() => { a(); effect(() => { a(); runs++; cleanup(() => ended++); }); }); a.set(1); a.set(2); a.set(3);`)
	l.want(`[runs, ended]`, `[4,3]`)
}

// Package session decides what happens in one conversation: a deterministic
// state machine that turns inputs into events to record and effects to start.
//
// It has no clock, no ids, no I/O and no goroutines; its caller brings them in
// with each input. The loop is always the same:
//
//	s.Step(input, now)   decides and folds at once, in memory
//	r := s.Ready()       what waits: first to be recorded, then to be done
//	record r.Events      all or nothing; only when they are on disk:
//	do r.Effects         call the model, run tools, answer callers
//
// What a turn does is one or more lines of work: its own, and one for each subagent
// that it waits for. A line is named by the task call that it answers, the turn's own
// by ""; all are decided by the same code.
//
// After a failed record the session is thrown away and folded again from the log.
package session

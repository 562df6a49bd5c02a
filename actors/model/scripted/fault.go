package scripted

import "fmt"

// A Fault is one mistake in a script's file. Line and Column are from 1, or 0
// where the fault is of the whole file.
type Fault struct {
	File    string
	Line    int
	Column  int
	Message string
}

// Error is "file:line: message".
func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.File + ": " + f.Message
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message)
}

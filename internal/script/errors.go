package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/eval"
	"modernc.org/quickjs"
)

// An Error is what JavaScript threw, or the bundler said, with its place in the source.
type Error struct {
	Name    string
	Message string
	// File is relative to the project where it lies in it.
	File   string
	Line   int
	Column int
	// Stack has places in the source, one frame a line. It is for logs.
	Stack  string
	Issues []agent.Issue
	// Fix says what to do about it, where that is known.
	Fix string
	// Code is empty, or CodeInvalidOutput, CodeInterrupted, CodeSettings, CodeMemory.
	Code string
}

// Codes of an Error.
const (
	// CodeInvalidOutput marks a result that does not fit the tool's outputSchema.
	CodeInvalidOutput = "invalid_output"
	// CodeInterrupted marks a handler that ran too long without yielding.
	CodeInterrupted = "interrupted"
	// CodeSettings marks settings that an extension does not take.
	CodeSettings = "extension_settings"
	// CodeMemory marks a VM that ran out of memory.
	CodeMemory = "out_of_memory"
)

// Error gives the message alone, as JavaScript threw it.
func (e *Error) Error() string { return e.Message }

// Is makes one that ran too long without yielding an eval.ErrStopped.
func (e *Error) Is(target error) bool {
	return target == eval.ErrStopped && e.Code == CodeInterrupted
}

// Place is "file:line:col", as far as it is known.
func (e *Error) Place() string {
	switch {
	case e.File == "":
		return ""
	case e.Line == 0:
		return e.File
	}
	return fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
}

// thrown is how the JavaScript side describes what was thrown (describe in errors.js).
type thrown struct {
	Kind    string        `json:"kind"`
	Name    string        `json:"name"`
	Message string        `json:"message"`
	Stack   string        `json:"stack"`
	Code    string        `json:"code"`
	Fix     string        `json:"fix"`
	Issues  []agent.Issue `json:"issues"`
	// Where is the part of a request that does not fit; empty for a tool's input.
	Where string `json:"where"`
	// Empty says that null was thrown.
	Empty bool `json:"empty"`
}

// fromThrown makes the Go error of a description: *agent.InputError for input, and
// *agent.RequestError for a request, that does not fit, else *Error with its place.
func (v *vm) fromThrown(text string) error {
	var t thrown
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return &Error{Name: "Error", Message: text}
	}
	if t.Kind == "input" && t.Where != "" {
		return &agent.RequestError{Where: t.Where, Issues: t.Issues}
	}
	if t.Kind == "input" {
		return &agent.InputError{Issues: t.Issues}
	}
	if t.Empty && v.wasFull() {
		t.Name, t.Message = "InternalError", outOfMemory
	}
	return v.locate(&Error{Name: t.Name, Message: t.Message, Stack: t.Stack, Issues: t.Issues, Fix: t.Fix, Code: t.Code})
}

// fromEngine makes an Error of what the engine itself gave to Go: an interrupt,
// the end of memory, or a throw that no JavaScript of ours caught.
func (v *vm) fromEngine(err error) error {
	var q *quickjs.Error
	if !errors.As(err, &q) {
		return err
	}
	name, message := q.Name, q.Message
	if message == "" {
		message = q.Error()
	}
	return v.locate(&Error{Name: name, Message: message, Stack: q.Stack})
}

// outOfMemory is what the engine's own error says.
const outOfMemory = "out of memory"

// locate fills in what the stack tells, and puts the engine's own failures in words.
func (v *vm) locate(e *Error) *Error {
	if e.Name == "InternalError" {
		switch {
		case strings.Contains(e.Message, "interrupted"):
			e.Code = CodeInterrupted
			e.Message = fmt.Sprintf("stopped: the handler ran for more than %v without yielding", v.o.Slice)
			if v.evaluating.Load() {
				e.Message = fmt.Sprintf("stopped: the module ran for more than %v without yielding", v.o.LoadTimeout)
			}
			e.Fix = "await between steps of long work, or do less at once"
		case strings.Contains(e.Message, outOfMemory):
			e.Code = CodeMemory
			e.Message = fmt.Sprintf("out of memory: the project's VM may use %d MiB", v.o.MemoryLimit>>20)
			v.lost.Store(true)
		}
	}
	v.maps.place(e)
	return e
}

// Package eval runs the cases of a project's evals folder against an agent and says
// how each came out. What a case is and how its code runs comes from the loader, and
// where sessions run from a Target, so that nothing here knows TypeScript or a host.
package eval

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// Bounds and defaults of the page on evals.
const (
	// MaxConcurrency is the most cases that may run at once.
	MaxConcurrency = 200
	// MaxIterations is the most often that one case may be repeated.
	MaxIterations = 100
	// DefaultTimeout bounds a case for which nobody set a bound.
	DefaultTimeout = 180 * time.Second
	// DefaultHistory is how many runs a host remembers.
	DefaultHistory = 20
)

// A Suite is what the evals folder of one project holds. It is read-only once loaded.
type Suite struct {
	// Dir is the absolute path of the project's folder.
	Dir string
	// Config is what evals.config.ts says; nil: there is none, or none that holds.
	Config *Config
	// Cases are all of them, iterations apart, in the order of their files and within a
	// file as written.
	Cases []*Case
	// Broken are eval files that give no cases, or not all that they should: a run that
	// could have had them fails.
	Broken []Broken
	// Diagnostics are what discovering and loading found, errors first.
	Diagnostics []agent.Diagnostic
	// Program runs the code of the cases; nil when no eval file loaded.
	Program Program
}

// Close releases the program.
func (s *Suite) Close() error {
	if s == nil || s.Program == nil {
		return nil
	}
	return s.Program.Close()
}

// A Config is the default export of evals.config.ts.
type Config struct {
	// MaxConcurrency is from 1 to the constant of that name.
	MaxConcurrency int
	// Timeout of a case; 0: DefaultTimeout.
	Timeout time.Duration
	// Judge is the judge's model and its settings, a JSON object; nil: none is set.
	Judge json.RawMessage
	// Reporters are told of all cases.
	Reporters []Reporter
	// MaxPlaygroundRuns is how many runs a host remembers; 0: DefaultHistory.
	MaxPlaygroundRuns int
}

// A Case is one run of one test: with iterations, each is a Case of its own.
type Case struct {
	// ID is the file's path below evals/ without its ending, the id of the case or its
	// index where the file has several, and the iteration where there are several.
	ID string
	// File is relative to the project's folder, with slashes.
	File        string
	Description string
	// Tags are those of the case, or else of its file, each once, in the order of writing.
	Tags []string
	// Timeout is what the case, or else its file, sets; 0: neither does.
	Timeout time.Duration
	// Iteration counts from 1 to Iterations, which is 1 for a case that is not repeated.
	Iteration, Iterations int
	// Judge is what the case, or else its file, sets; nil: neither does.
	Judge json.RawMessage
	// Reporters are those of the file, then those of the case.
	Reporters []Reporter
	// Metadata of the case lie over those of the file.
	Metadata map[string]json.RawMessage
	// Replay names the recording that the case was made from: a session's id, or a file
	// relative to the project's folder; empty: none.
	Replay string
	// Ref is where the program finds the test.
	Ref Ref
}

// A Ref is the place of a definition in the code of a suite.
type Ref struct {
	// Module is the id of the file's module.
	Module string
	// Index in the array that the file exports; -1: it exports no array.
	Index int
	// Case is the index in cases; -1: the definition has none.
	Case int
}

// A Reporter is told how cases and runs end.
type Reporter struct {
	// Kind is one of the constants below.
	Kind string
	// FilePath and SuiteName are of JUnit, Dir is of artifacts. Paths are as written:
	// absolute, or relative to the project's folder.
	FilePath, SuiteName, Dir string
	// Ref and Index find an object of the author's: the reporter at Index of the
	// definition, or of the config where Ref.Module is that of the config.
	Ref   Ref
	Index int
}

// Kinds of a Reporter.
const (
	ReporterJUnit     = "junit"
	ReporterArtifacts = "artifacts"
	ReporterCustom    = "custom" // an object of the author's
)

// A Broken is an eval file with a fault that keeps cases of it from running.
type Broken struct {
	// ID is that of the file, or of the one case in it that is at fault. No case has it.
	ID string
	// Message is one sentence, with file and line where they are known.
	Message string
}

// A Program runs the code of a suite's cases. It is safe for concurrent use.
type Program interface {
	// Run runs the test of a case to its end, or until ctx ends: then the record says
	// what was asserted until there, and the error is the cause. judge is the nearest
	// judge's configuration, or nil. Whatever the test throws is in the record; an
	// error is a fault of the program itself, such as one that ran out of memory.
	Run(ctx context.Context, c *Case, judge json.RawMessage, timeout time.Duration, d Driver) (*Record, error)
	// Report calls a method of a custom reporter with one argument; one that has no such
	// method is fine. What it throws is the error; one that was stopped, since it held
	// everything else up, is ErrStopped as well.
	Report(ctx context.Context, r Reporter, method string, argument json.RawMessage) error
	Close() error
}

// ErrStopped is the error of code that was stopped because it did not yield.
var ErrStopped = errors.New("stopped")

// Methods of a reporter.
const (
	OnRunStart     = "onRunStart"
	OnEvalComplete = "onEvalComplete"
	OnRunComplete  = "onRunComplete"
)

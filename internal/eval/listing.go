package eval

import (
	"encoding/json"

	"github.com/gobdk/bdk/actors/agent"
)

// A Listing says what the evals folder of an agent holds.
type Listing struct {
	Agent string `json:"agent"`
	// Config is null where none holds: then nothing can run.
	Config *ListedConfig `json:"config"`
	Cases  []ListedCase  `json:"cases"`
	// Broken are files that give no cases, or not all.
	Broken      []ListedBroken     `json:"broken"`
	Diagnostics []agent.Diagnostic `json:"diagnostics"`
}

// A ListedConfig is what evals.config.ts says, with its defaults.
type ListedConfig struct {
	MaxConcurrency int   `json:"maxConcurrency"`
	TimeoutMs      int64 `json:"timeoutMs"`
	// JudgeModel is empty where the config sets no judge.
	JudgeModel        string   `json:"judgeModel,omitempty"`
	Reporters         []string `json:"reporters"` // their kinds
	MaxPlaygroundRuns int      `json:"maxPlaygroundRuns"`
}

// A ListedCase is one that can be selected.
type ListedCase struct {
	ID          string   `json:"id"`
	File        string   `json:"file"`
	Description string   `json:"description,omitempty"`
	Tags        []string `json:"tags"`
	Iteration   int      `json:"iteration"`
	Iterations  int      `json:"iterations"`
	// TimeoutMs is what holds when the command line sets none.
	TimeoutMs int64                      `json:"timeoutMs"`
	Metadata  map[string]json.RawMessage `json:"metadata,omitempty"`
	Replay    string                     `json:"replay,omitempty"`
}

// A ListedBroken is a file with a fault.
type ListedBroken struct {
	ID      string `json:"id"`
	Message string `json:"message"`
}

// List gives what a selection of the suite holds; of all, where it is nil.
func (s *Suite) List(slug string, by *Selection) *Listing { return nil }

package eval

import (
	"cmp"
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

// List gives what a selection of the suite holds; of all, where it is nil. Nothing in it
// is null but a config that does not hold.
func (s *Suite) List(slug string, by *Selection) *Listing {
	if by == nil {
		by = &Selection{}
	}
	cases, broken := s.Select(by)
	l := &Listing{Agent: slug, Config: s.listedConfig(), Cases: []ListedCase{}, Broken: []ListedBroken{}, Diagnostics: filled(s.Diagnostics)}
	for _, c := range cases {
		l.Cases = append(l.Cases, s.listed(c))
	}
	for _, b := range broken {
		l.Broken = append(l.Broken, ListedBroken(b))
	}
	return l
}

// ConfigBroken says whether there is a configuration that does not hold: its fault is among
// the diagnostics.
func (l *Listing) ConfigBroken() bool {
	return l.Config == nil && configFinding(l.Diagnostics) != nil
}

func (s *Suite) listedConfig() *ListedConfig {
	c := s.Config
	if c == nil {
		return nil
	}
	l := &ListedConfig{
		MaxConcurrency: c.MaxConcurrency, TimeoutMs: cmp.Or(c.Timeout, DefaultTimeout).Milliseconds(),
		Reporters: []string{}, MaxPlaygroundRuns: cmp.Or(c.MaxPlaygroundRuns, DefaultHistory),
	}
	var judge struct {
		Model string `json:"model"`
	}
	if json.Unmarshal(c.Judge, &judge) == nil {
		l.JudgeModel = judge.Model
	}
	for _, r := range c.Reporters {
		l.Reporters = append(l.Reporters, r.Kind)
	}
	return l
}

func (s *Suite) listed(c *Case) ListedCase {
	limit := cmp.Or(c.Timeout, DefaultTimeout)
	if c.Timeout == 0 && s.Config != nil {
		limit = cmp.Or(s.Config.Timeout, limit)
	}
	return ListedCase{
		ID: c.ID, File: c.File, Description: c.Description, Tags: filled(c.Tags), Iteration: c.Iteration, Iterations: c.Iterations,
		TimeoutMs: limit.Milliseconds(), Metadata: c.Metadata, Replay: c.Replay,
	}
}

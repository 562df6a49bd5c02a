package agent

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/gobdk/bdk/internal/workspace"
)

// skillForm is what a skill may be called: its name is a folder of the workspace.
var skillForm = regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,63}$`)

// Check says everything that is wrong with a skill, nil when it can be laid down.
func (k *Skill) Check() error {
	if k == nil {
		return errors.New("a skill is nil")
	}
	faults := []error{checkSeeds(k.Files)}
	if !skillForm.MatchString(k.Name) {
		faults = append(faults, fmt.Errorf("%q cannot be a skill's name: write at most 64 letters, digits, -, _ and ., a letter or a digit first", k.Name))
	}
	return under(fmt.Sprintf("skill %q", k.Name), errors.Join(faults...))
}

// Check says what is wrong with the path of a seed, nil when it can be laid down.
func (s *SeedFile) Check() error {
	if s == nil {
		return errors.New("a seed is nil")
	}
	if err := workspace.CheckPath(s.Path); err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	return nil
}

func checkSeeds(files []SeedFile) error {
	var faults []error
	for i := range files {
		faults = append(faults, files[i].Check())
	}
	return errors.Join(faults...)
}

// Check says everything that is wrong with a subagent, nil when work can be
// delegated to it.
func (s *Subagent) Check() error {
	if s == nil {
		return errors.New("a subagent is nil")
	}
	faults := []error{formed("a subagent's name", s.Name, idForm)}
	if strings.TrimSpace(s.Description) == "" {
		faults = append(faults, errors.New("the description is missing; it tells the model what to delegate to it"))
	}
	return under(fmt.Sprintf("subagent %q", s.Name), errors.Join(faults...))
}

package agent

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gobdk/bdk/internal/workspace"
)

// SkillName says whether a skill may be called so: by at most 64 letters, digits, -, _
// and ., a letter or a digit first, since its name is a folder of the workspace.
func SkillName(name string) bool { // as a regular expression it takes 2.5 MB and 3 ms of each start
	for i, r := range name {
		first := unicode.In(r, unicode.L, unicode.N)
		if !first && (i == 0 || !unicode.Is(unicode.M, r) && !strings.ContainsRune("._-", r)) {
			return false
		}
	}
	return name != "" && utf8.RuneCountInString(name) <= 64
}

// Check says everything that is wrong with a skill, nil when it can be laid down.
func (k *Skill) Check() error {
	if k == nil {
		return errors.New("a skill is nil")
	}
	faults := []error{checkSeeds(k.Files)}
	if !SkillName(k.Name) {
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

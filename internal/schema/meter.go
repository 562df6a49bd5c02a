package schema

import (
	"errors"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Bounds of one check. A schema of n lines can ask for 2^n steps, and a pattern
// can backtrack for ever, so both are counted.
const (
	maxSteps    = 500_000
	maxPatterns = time.Second // spent in all patterns of one check
	maxMatch    = 100 * time.Millisecond
)

var (
	errTooCostly = errors.New("cannot be checked: the schema asks for too many steps")
	errSlow      = errors.New("cannot be checked: a pattern of the schema takes too long on it")
)

// A meter ends a check that costs too much. The validator offers no way to stop
// it, so the meter panics through it, with itself as the value.
type meter struct {
	steps int
	spent time.Duration
	err   error
}

// run gives what f gives, or why f was ended.
func (m *meter) run(f func() error) (err error) {
	m.steps, m.spent, m.err = 0, 0, nil
	defer func() {
		if m.err == nil {
			return
		}
		if r := recover(); r != m {
			panic(r)
		}
		err = m.err
	}()
	return f()
}

func (m *meter) stop(err error) {
	m.err = err
	panic(m)
}

// Validate is called at each schema object that a value meets.
func (m *meter) Validate(*jsonschema.ValidatorContext, any) {
	if m.steps++; m.steps > maxSteps {
		m.stop(errTooCostly)
	}
}

// vocabulary puts the meter into every schema object.
func (m *meter) vocabulary() *jsonschema.Vocabulary {
	return &jsonschema.Vocabulary{
		URL:    "schema:///meter",
		Schema: anything,
		Compile: func(*jsonschema.CompilerContext, map[string]any) (jsonschema.SchemaExt, error) {
			return m, nil
		},
	}
}

// anything is the schema of a vocabulary without keywords.
var anything = func() *jsonschema.Schema {
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema:///anything", true); err != nil {
		panic(err)
	}
	return c.MustCompile("schema:///anything")
}()

// regexp compiles a pattern of JavaScript.
func (m *meter) regexp(pattern string) (jsonschema.Regexp, error) {
	translated, err := translate(pattern)
	if err != nil {
		return nil, err
	}
	re, err := regexp2.Compile(translated, regexp2.ECMAScript)
	if err != nil {
		return nil, err
	}
	re.MatchTimeout = maxMatch
	return &matcher{meter: m, re: re, pattern: pattern}, nil
}

type matcher struct {
	meter   *meter
	re      *regexp2.Regexp
	pattern string
}

// String is the pattern as its author wrote it.
func (r *matcher) String() string { return r.pattern }

// MatchString ends the check when it takes too long.
func (r *matcher) MatchString(s string) bool {
	start := time.Now()
	ok, err := r.re.MatchString(s)
	r.meter.spent += time.Since(start)
	if err != nil || r.meter.spent > maxPatterns {
		r.meter.stop(errSlow)
	}
	return ok
}

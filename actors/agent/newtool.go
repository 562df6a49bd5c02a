package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/schema"
)

var toolName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)

// NewTool makes a tool of a Go function. The input schema is derived from In, a
// struct or a map with string keys: `json` tags name the fields, `jsonschema` tags
// describe them, and a field is required unless it is omitempty or omitzero.
// Arguments that do not fit never reach fn. What fn returns is the result as
// encoding/json writes it; an error becomes an error result with its message, and
// so does a value that JSON cannot hold, such as NaN. A panic is no result: it fails the
// turn, or the direct call, and the host goes on.
//
// Numbers in fields of type any arrive as json.Number, with all their digits.
// fn may be called from any goroutine, several times at once.
func NewTool[In, Out any](name, description string, fn func(ctx context.Context, in In, c *Call) (Out, error), o *ToolOptions[In]) (*Tool, error) {
	if o == nil {
		o = &ToolOptions[In]{}
	}
	t := &Tool{
		Name: name, Description: description, Title: o.Title, Source: "project",
		Execution: ExecutionServer, Idempotent: o.Idempotent,
		TimeArguments: o.TimeArguments, Timeout: o.Timeout,
	}
	f := &function[In, Out]{fn: fn, options: o}
	err := errors.Join(checkName(name, description, fn == nil), o.fill(t), f.schemas(t))
	if err != nil {
		return nil, under(fmt.Sprintf("tool %q", name), err)
	}
	t.Prepare, t.Execute = f.prepare, f.execute
	if o.DryRun != nil {
		t.DryRun = f.dryRun
	}
	return t, nil
}

func checkName(name, description string, noFunction bool) error {
	switch {
	case !toolName.MatchString(name):
		return errors.New("the name must be a letter and up to 63 letters, digits, _ or -")
	case strings.Contains(name, "__"):
		return errors.New("the name must not have two underscores in a row")
	case strings.TrimSpace(description) == "":
		return errors.New("the description is missing; it tells the model what the tool is for")
	case noFunction:
		return errors.New("the function is missing")
	}
	return nil
}

// A function is a Go function behind the functions of a Tool.
type function[In, Out any] struct {
	fn      func(ctx context.Context, in In, c *Call) (Out, error)
	options *ToolOptions[In]
	input   *schema.Schema
	// output is nil unless the author gave a schema: what a Go type promises holds anyway.
	output *schema.Schema
}

// schemas derives or takes the schemas and puts them into t.
func (f *function[In, Out]) schemas(t *Tool) error {
	var err error
	if t.InputSchema, err = derive[In](f.options.InputSchema); err != nil {
		return fmt.Errorf("input: %w", err)
	}
	if t.InputSchema = withoutNull(t.InputSchema); !describesObject(t.InputSchema) {
		return fmt.Errorf("input: %w", noObject[In](f.options.InputSchema))
	}
	if f.input, err = schema.Compile(t.InputSchema); err != nil {
		return fmt.Errorf("input: %w", err)
	}
	if err := checkTimeArguments(t.InputSchema, t.TimeArguments); err != nil {
		return err
	}
	if len(f.options.OutputSchema) > 0 {
		if f.output, err = schema.Compile(f.options.OutputSchema); err != nil {
			return fmt.Errorf("output: %w", err)
		}
	}
	if t.OutputSchema, err = derive[Out](f.options.OutputSchema); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	if len(f.options.OutputSchema) == 0 && !describesObject(t.OutputSchema) {
		t.OutputSchema = nil
	}
	return nil
}

func derive[T any](given json.RawMessage) (json.RawMessage, error) {
	if len(given) > 0 {
		return given, nil
	}
	return schema.For[T]()
}

// withoutNull makes the schema of a Go map, which may be null, that of an object:
// arguments are never null.
func withoutNull(raw json.RawMessage) json.RawMessage {
	var s map[string]any
	if json.Unmarshal(raw, &s) != nil {
		return raw
	}
	if types, ok := s["type"].([]any); !ok || len(types) != 2 || types[0] != "null" || types[1] != "object" {
		return raw
	}
	s["type"] = "object"
	if object, err := encode(s); err == nil {
		return object
	}
	return raw
}

// noObject says why a schema describes no object: that of the type, or the one that
// was given in its place.
func noObject[T any](given json.RawMessage) error {
	switch {
	case len(given) == 0:
		return fmt.Errorf("%s is no JSON object; take a struct or a map with string keys", reflect.TypeFor[T]())
	case !json.Valid(given):
		return errors.New("the schema that was given is not JSON")
	}
	return errors.New("the schema that was given describes no object: it needs \"type\": \"object\"")
}

func describesObject(raw json.RawMessage) bool {
	var s struct{ Type any }
	return json.Unmarshal(raw, &s) == nil && s.Type == "object"
}

// parse gives the input that c's arguments hold, or an *InputError.
func (f *function[In, Out]) parse(c *Call) (In, json.RawMessage, error) {
	var in In
	args := c.Args
	if len(bytes.TrimSpace(args)) == 0 {
		args = json.RawMessage("{}")
	}
	if found := f.input.Validate(args); len(found) > 0 {
		return in, nil, &InputError{Issues: issuesOf(found)}
	}
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	if err := d.Decode(&in); err != nil {
		return in, nil, decodeError(err)
	}
	return in, args, nil
}

// decodeError is for what fits the schema and not the Go type, such as 1e30 for an int.
func decodeError(err error) *InputError {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return &InputError{Issues: []Issue{{Path: wrong.Field, Message: fmt.Sprintf("%s does not fit %s", wrong.Value, wrong.Type)}}}
	}
	return &InputError{Issues: []Issue{{Message: err.Error()}}}
}

func (f *function[In, Out]) prepare(ctx context.Context, c *Call) (Prepared, error) {
	in, args, err := f.parse(c)
	if err != nil {
		return Prepared{}, err
	}
	return Prepared{Input: args, Effect: f.options.effectOf(in), NeedsApproval: f.options.approvalOf(ctx, in, c)}, nil
}

func (f *function[In, Out]) execute(ctx context.Context, c *Call) (Result, error) {
	in, _, err := f.parse(c)
	if err != nil {
		return Result{}, err
	}
	out, err := f.fn(ctx, in, c)
	if err != nil {
		return Result{}, err
	}
	raw, err := encode(out)
	if err != nil {
		return Result{}, err
	}
	if f.output == nil {
		return Result{Output: raw}, nil
	}
	if found := f.output.Validate(raw); len(found) > 0 {
		message, _ := encode(outputMessage(found))
		return Result{Output: message, IsError: true, Code: events.CodeInvalidOutput}, nil
	}
	return Result{Output: raw}, nil
}

func outputMessage(found []schema.Issue) string {
	parts := make([]string, len(found))
	for i, is := range found {
		parts[i] = strings.TrimPrefix(is.Path+": "+is.Message, ": ")
	}
	return "the tool's result does not fit its output schema: " + strings.Join(parts, "; ")
}

func (f *function[In, Out]) dryRun(ctx context.Context, c *Call) (json.RawMessage, error) {
	in, _, err := f.parse(c)
	if err != nil {
		return nil, err
	}
	out, err := f.options.DryRun(ctx, in, c)
	if err != nil {
		return nil, err
	}
	return encode(out)
}

// encode writes JSON without escaping <, > and &.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		var unsupported *json.UnsupportedValueError
		if errors.As(err, &unsupported) {
			return nil, fmt.Errorf("the value holds %s, which JSON cannot say", unsupported.Str)
		}
		return nil, fmt.Errorf("encoding a value: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

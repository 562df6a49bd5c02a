package cli

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// A fixture is an event of a webhook, its payload byte for byte.
type fixture struct {
	Event    string          `json:"event"`
	Delivery string          `json:"delivery"`
	Payload  json.RawMessage `json:"payload"`
}

// readFixture reads the file of an event, in either form. Flags go before the file.
func (a *app) readFixture(f *replayFlags) (*fixture, error) {
	text, err := a.fixtureText(f.fixture, "{\"event\": …, \"payload\": {…}}")
	if err != nil {
		return nil, err
	}
	x, err := parseFixture(text)
	if err != nil {
		return nil, usagef("--fixture %s: %w", f.fixture, err)
	}
	if f.event != "" {
		x.Event = f.event
	}
	if f.delivery != "" {
		x.Delivery = f.delivery
	}
	if x.Event == "" {
		return nil, usagef("--fixture %s does not say which event it is: give it an \"event\", or name it with --event, such as pull_request", f.fixture)
	}
	if x.Delivery == "" {
		x.Delivery = newUUID()
	}
	return x, nil
}

// fixtureText reads the file of an event; form is what it looks like.
func (a *app) fixtureText(file, form string) (text []byte, err error) {
	switch file {
	case "":
		return nil, usagef("--fixture is missing: it names the file of an event, %s", form)
	case "-":
		text, err = io.ReadAll(a.Stdin)
	default:
		text, err = os.ReadFile(a.path(file))
	}
	if err != nil {
		return nil, usagef("--fixture cannot be read: %w", err)
	}
	return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), nil
}

// parseFixture takes an object with a payload as a fixture, any other as the payload.
func parseFixture(text []byte) (*fixture, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, fmt.Errorf("it is no JSON object: %w", err)
	}
	if len(fields["payload"]) == 0 {
		return &fixture{Payload: text}, nil
	}
	x := &fixture{}
	if err := json.Unmarshal(text, x); err != nil {
		return nil, fmt.Errorf("event and delivery are texts: %w", err)
	}
	if x.Payload[0] != '{' {
		return nil, fmt.Errorf("its payload is no object")
	}
	return x, nil
}

// newUUID is a random id in the form that GitHub's deliveries have.
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// Package modeltest proves that a model.Model keeps the contract of its port.
// Whoever writes a provider runs the suite in a test of its own:
//
//	func TestModel_Contract(t *testing.T) { modeltest.Run(t, prepare) }
package modeltest

import (
	"testing"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events"
)

// A Step is what the model behind the port is to do next, as often as it is asked.
type Step struct {
	// Reasoning, then Text, is said; either may be empty.
	Reasoning string
	Text      string
	// Calls are asked for after the text.
	Calls []model.RequestedCall
	// Usage is what the provider reports; nil: whatever it does.
	Usage *events.Usage
	// Status, when not 0, is the HTTP status with which the step is refused before
	// any output. The suite asks for one that is not worth a retry.
	Status int
	// Break ends the stream after the text, without its end.
	Break bool
	// Stall says nothing more after the text, and does not end before the context.
	Stall bool
}

// A Prepare gives a model that does the step, and a request for it. The suite may
// put older messages in front of the request's. A nil model says that this
// provider cannot do such a step, and that part of the suite passes.
type Prepare func(t testing.TB, s Step) (model.Model, *model.Request)

// parts of the suite, by the name of their sub-test.
var parts = map[string]func(testing.TB, Prepare){
	"Text":          text,
	"Reasoning":     reasoning,
	"Calls":         calls,
	"Usage":         usage,
	"Refused":       refused,
	"Broken":        broken,
	"Cancelled":     cancelled,
	"Stalled":       stalled,
	"History":       history,
	"Concurrent":    concurrent,
	"RequestIsKept": requestIsKept,
}

// Run runs the suite, its parts in parallel.
func Run(t *testing.T, prepare Prepare) {
	for name, part := range parts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			part(t, prepare)
		})
	}
}

// texts are what models say and providers get wrong.
var texts = []string{
	"Hello.",
	"  spaces at both ends  ",
	"lines\nand\r\n\ttabs, \"quotes\", \\ and </script>",
	"Кириллица, 漢字, 👩‍👩‍👧‍👦 and a\u2028separator",
	"data: [DONE]\n\ndata: {}",
}

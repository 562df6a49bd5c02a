package projections_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/projections"
)

// ToolUse counts tool calls by the name of the tool, over all sessions. Its rows
// are names with a number of 8 bytes.
type ToolUse struct{}

func (ToolUse) Name() string { return "tool-use" }

// Version grows when Apply changes: the rows are then folded from the log again.
func (ToolUse) Version() int { return 1 }

func (ToolUse) Apply(w *projections.Writer, e *events.Event) error {
	requested, ok := e.Data.(*events.ActionsRequested)
	if !ok {
		return nil
	}
	for _, call := range requested.Calls {
		row, _, err := w.Get([]byte(call.ToolName))
		if err != nil {
			return err
		}
		w.Set([]byte(call.ToolName), number(uint64Of(row)+1))
	}
	return nil
}

func number(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

func uint64Of(row []byte) uint64 {
	if len(row) != 8 {
		return 0
	}
	return binary.BigEndian.Uint64(row)
}

// A custom projection folds the events of all sessions into rows of its own.
func Example() {
	ctx := context.Background()
	j, err := journal.Open("state", &journal.Options{FS: vfs.NewMem()}) // leave FS out to write to the disk
	if err != nil {
		fmt.Println(err)
		return
	}
	defer j.Close()
	views, err := projections.Start(ctx, &projections.Options{
		Journal: j,
		Extra:   []projections.Projection{ToolUse{}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer views.Close(ctx)

	// A host does this when a model asks for tools.
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	at, err := j.Append(ctx, journal.Append{Stream: "ses_1", Events: []events.Event{
		events.New("turn_1", now, &events.ActionsRequested{Calls: []events.Call{
			{CallID: "call_1", ToolName: "read_file"}, {CallID: "call_2", ToolName: "merge_pr"},
		}}),
		events.New("turn_1", now, &events.ActionsRequested{Calls: []events.Call{
			{CallID: "call_3", ToolName: "read_file"},
		}}),
	}})
	if err != nil {
		fmt.Println(err)
		return
	}

	// Wait until the views show what was written, then read.
	if err := views.WaitFor(ctx, at.Position); err != nil {
		fmt.Println(err)
		return
	}
	for row, err := range views.Reader("tool-use").Scan(nil, nil, false) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(string(row.Key), uint64Of(row.Value))
	}
	// Output:
	// merge_pr 1
	// read_file 2
}

package replay

import (
	"bytes"
	"context"
	"fmt"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/plainfile"
)

// Load reads the file of a recording: the events of a session as NDJSON, such as
// bdk sessions events prints and bdk eval record writes. Empty lines are none. An
// error names the file and the line.
func Load(file string) (func(ctx context.Context) Lines, error) {
	data, err := plainfile.Read(file)
	if err != nil {
		return nil, fmt.Errorf("reading a recording: %w", err)
	}
	var lines [][]byte
	for i, line := range bytes.Split(bytes.TrimPrefix(data, []byte("\uFEFF")), []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if _, err := events.Decode(line); err != nil {
			return nil, fmt.Errorf("%s:%d: this is no event of a session: %w", file, i+1, err)
		}
		lines = append(lines, line)
	}
	return func(context.Context) Lines {
		return func(yield func([]byte, error) bool) {
			for _, line := range lines {
				if !yield(line, nil) {
					return
				}
			}
		}
	}, nil
}

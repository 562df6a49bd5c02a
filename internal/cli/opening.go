package cli

import (
	"encoding/base64"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/client"
)

// local is the opening as a command to a host of this process.
func (o opening) local(slug string) actors.NewSession {
	return actors.NewSession{
		Agent:     slug,
		Principal: events.Principal{Kind: "local", ID: "local"},
		ChannelID: "cli",
		DryRun:    o.dryRun,
		AsOf:      o.asOf,
		Message:   o.message,
		Files:     o.files,
	}
}

// remote is the opening as a request to a host elsewhere.
func (o opening) remote() client.Start {
	s := client.Start{Message: o.message, DryRun: o.dryRun}
	if o.asOf != nil {
		s.AsOf = o.asOf.Format(time.RFC3339Nano)
	}
	for _, f := range o.files {
		if s.WorkspaceFiles == nil {
			s.WorkspaceFiles = map[string]any{}
		}
		if utf8.Valid(f.Content) {
			s.WorkspaceFiles[f.Path] = string(f.Content)
			continue
		}
		s.WorkspaceFiles[f.Path] = map[string]string{"base64": base64.StdEncoding.EncodeToString(f.Content)}
	}
	return s
}

// readFiles reads the values of --file, "path in the workspace=local file"; "-" is stdin.
func (a *app) readFiles(values []string) ([]actors.File, error) {
	var files []actors.File
	for _, v := range values {
		path, source, ok := strings.Cut(v, "=")
		if !ok || path == "" || source == "" {
			return nil, usagef("--file %s: it looks like path/in/workspace=local-file", v)
		}
		content, err := a.readFile(source)
		if err != nil {
			return nil, usagef("--file %s: %w", v, err)
		}
		files = append(files, actors.File{Path: path, Content: content})
	}
	return files, nil
}

func (a *app) readFile(source string) ([]byte, error) {
	if source == "-" {
		return io.ReadAll(a.Stdin)
	}
	return os.ReadFile(a.path(source))
}

// parseAsOf reads an instant with a zone; empty gives nil.
func parseAsOf(text string) (*time.Time, error) {
	if text == "" {
		return nil, nil
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return nil, usagef("--as-of %q is no instant with a zone: it looks like 2026-01-31T12:00:00Z", text)
	}
	return &at, nil
}

package mcp

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// Bounds of what a server may write into the host's log.
const (
	maxLogLine  = 2 << 10
	maxLogLines = 1000 // of one run
)

// logLines puts what a server writes to standard error into the log, without
// secrets, until it has ended.
func (p *Pool) logLines(connection string, from io.Reader) {
	r := bufio.NewReader(from)
	for n := 0; ; {
		line, err := cutLine(r)
		if line = strings.TrimRight(strings.ToValidUTF8(line, "\uFFFD"), " \r\n"); line != "" {
			if n++; n <= maxLogLines {
				p.o.Logger.Info().Str("connection", connection).Msg(p.secrets.Text(line))
			}
			if n == maxLogLines {
				p.o.Logger.Warn().Str("connection", connection).Msg("the server writes a lot to standard error: the rest of this run is left out")
			}
		}
		if err != nil {
			return
		}
	}
}

// cutLine reads a line, and keeps its beginning.
func cutLine(r *bufio.Reader) (string, error) {
	var kept []byte
	for {
		part, err := r.ReadSlice('\n')
		if room := maxLogLine - len(kept); room > 0 {
			kept = append(kept, part[:min(len(part), room)]...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return string(kept), err
		}
	}
}

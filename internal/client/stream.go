package client

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"github.com/gobdk/bdk/events"
)

const ndjson = "application/x-ndjson"

// An Event is one event with the line that it came in.
type Event struct {
	*events.Event
	// Line is the NDJSON line without its newline.
	Line []byte
}

// A StreamQuery says what part of a session's log is wanted.
type StreamQuery struct {
	// From is the first index.
	From uint64
	// UntilIdle ends the stream when the session is idle, ended or parked.
	UntilIdle bool
	// Once ends the stream at the head of the log.
	Once bool
}

// Stream yields events as they are recorded, until the stream ends, the context
// does, or an error comes, which is yielded last. A line that was cut is an error.
func (c *Client) Stream(ctx context.Context, sessionID string, q StreamQuery) iter.Seq2[Event, error] {
	v := url.Values{"startIndex": {strconv.FormatUint(q.From, 10)}}
	if q.UntilIdle {
		v.Set("until", "idle")
	}
	if q.Once {
		v.Set("follow", "false")
	}
	return c.stream(ctx, request{method: http.MethodGet, path: sessionPath(sessionID, "/stream"), query: v, accept: ndjson})
}

func (c *Client) stream(ctx context.Context, r request) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		resp, err := c.send(ctx, r)
		if err != nil {
			yield(Event{}, err)
			return
		}
		c.read(resp)(yield)
	}
}

// StartStream is Start, answered with the events from the message on until the
// session is idle, ended or parked. The stream must be ranged over: that ends the request.
func (c *Client) StartStream(ctx context.Context, s Start) (Accepted, iter.Seq2[Event, error], error) {
	return c.accepted(ctx, request{method: http.MethodPost, path: "/v1/session", body: s, accept: ndjson})
}

// SendStream is Send, answered as StartStream is.
func (c *Client) SendStream(ctx context.Context, sessionID, token, message string) (Accepted, iter.Seq2[Event, error], error) {
	body := map[string]string{"continuationToken": token, "message": message}
	return c.accepted(ctx, request{method: http.MethodPost, path: sessionPath(sessionID, ""), body: body, accept: ndjson})
}

func (c *Client) accepted(ctx context.Context, r request) (Accepted, iter.Seq2[Event, error], error) {
	resp, err := c.send(ctx, r)
	if err != nil {
		return Accepted{}, nil, err
	}
	a := Accepted{SessionID: resp.Header.Get("bdk-session-id"), ContinuationToken: resp.Header.Get("bdk-continuation-token")}
	return a, c.read(resp), nil
}

// read yields the events of an NDJSON response and closes it.
func (c *Client) read(resp *http.Response) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		defer resp.Body.Close()
		lines := bufio.NewReaderSize(resp.Body, 64<<10)
		for {
			e, err := readEvent(lines)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Event{}, unreachable(c.base, err))
				return
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// readEvent reads one line; io.EOF is the clean end.
func readEvent(r *bufio.Reader) (Event, error) {
	line, err := r.ReadBytes('\n')
	if errors.Is(err, io.EOF) && len(line) > 0 {
		return Event{}, errors.New("the stream ended inside a line")
	}
	if err != nil {
		return Event{}, err
	}
	line = bytes.TrimRight(line, "\r\n")
	e, err := events.Decode(line)
	if err != nil {
		return Event{}, fmt.Errorf("reading the stream: %w", err)
	}
	return Event{Event: e, Line: line}, nil
}

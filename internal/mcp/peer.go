package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// A Caller is on whose behalf a tool is called.
type Caller struct {
	Principal events.Principal
	// Session and Turn are where the call is made; empty: in none.
	Session, Turn string
}

// Peers are the other agents of the host. They are safe for concurrent use.
type Peers interface {
	// Ask gives an agent a message, in a new session or in one of the principal's, and
	// waits for the end of its turn, a.Wait at most.
	Ask(ctx context.Context, a Ask) (PeerReply, error)
	// Check waits for the newest turn of a session, c.Wait at most.
	Check(ctx context.Context, c Check) (PeerReply, error)
}

// An Ask is a message to a peer.
type Ask struct {
	// Agent is the slug of the peer, From the one that asks.
	Agent, From               string
	Message, SessionID, Title string
	// Caller is who asks, for whom, and where.
	Caller
	Wait time.Duration
}

// A Check asks how a session of a peer stands.
type Check struct {
	Agent, SessionID string
	Principal        events.Principal
	Wait             time.Duration
}

// A PeerReply is what ask and check answer, as the MCP endpoint does.
type PeerReply struct {
	// Status is "finished", "running", "parked", "failed" or "cancelled".
	Status            string `json:"status"`
	SessionID         string `json:"sessionId"`
	ContinuationToken string `json:"continuationToken"`
	Reply             string `json:"reply,omitempty"`
	ErrorMessage      string `json:"errorMessage,omitempty"`
}

// Names of a peer's tools.
const (
	askTool   = "ask"
	checkTool = "check"
)

// Waits for a peer's turn.
const (
	defaultWait = 60 * time.Second
	maxWait     = 600 * time.Second
	// peerGrace is what a call may take beside its wait.
	peerGrace = 30 * time.Second
)

// peerTools are what a peer gives.
var peerTools = []toolRaw{
	toolRaw(`{"name":"ask","title":"Ask","description":"Gives the agent a message and waits for its reply. With sessionId the message continues that conversation. A status of running or parked means that the reply is still to come: use check with the sessionId later.",` +
		`"inputSchema":{"type":"object","required":["message"],"additionalProperties":false,"properties":{` +
		`"message":{"type":"string","minLength":1,"description":"what the agent is to do or to answer"},` +
		`"sessionId":{"type":"string","description":"an earlier conversation to go on with"},` +
		`"title":{"type":"string","maxLength":200,"description":"a title for a new conversation"},` +
		`"waitSeconds":{"type":"number","minimum":0,"maximum":600,"default":60,"description":"how long to wait for the reply; 0: not at all"}}}}`),
	toolRaw(`{"name":"check","title":"Check","description":"Tells how a conversation that ask began stands, and the reply when there is one.",` +
		`"inputSchema":{"type":"object","required":["sessionId"],"additionalProperties":false,"properties":{` +
		`"sessionId":{"type":"string","description":"what ask gave"},` +
		`"waitSeconds":{"type":"number","minimum":0,"maximum":600,"default":0,"description":"how long to wait for the end"}}},` +
		`"annotations":{"readOnlyHint":true}}`),
}

// A peer is a line to another agent of this host.
type peer struct {
	p    *Pool
	slug string
}

func (p *Pool) openPeer(c *agent.Connection) (line, error) {
	if p.o.Peers == nil {
		return nil, errors.New("there are no other agents here")
	}
	return &peer{p, c.Agent}, nil
}

func (e *peer) list(context.Context) ([]toolRaw, error) { return peerTools, nil }
func (e *peer) over() <-chan struct{}                   { return nil }
func (e *peer) close()                                  {}

func (e *peer) read(context.Context, string) ([]byte, error) {
	return nil, errors.New("an agent of this host has no resources")
}

type peerArgs struct {
	Message     string   `json:"message"`
	SessionID   string   `json:"sessionId"`
	Title       string   `json:"title"`
	WaitSeconds *float64 `json:"waitSeconds"`
}

func (a *peerArgs) wait(otherwise time.Duration) time.Duration {
	if a.WaitSeconds == nil {
		return otherwise
	}
	return min(max(0, time.Duration(*a.WaitSeconds*float64(time.Second))), maxWait)
}

func (e *peer) call(ctx context.Context, who Caller, tool string, args []byte) ([]byte, error) {
	var in peerArgs
	if err := json.Unmarshal(args, &in); err != nil {
		return nil, err
	}
	var out PeerReply
	var err error
	if tool == checkTool {
		out, err = e.p.o.Peers.Check(ctx, Check{Agent: e.slug, SessionID: in.SessionID, Principal: who.Principal, Wait: in.wait(0)})
	} else {
		out, err = e.p.o.Peers.Ask(ctx, Ask{Agent: e.slug, From: e.p.o.Agent, Message: in.Message, SessionID: in.SessionID, Title: in.Title, Caller: who, Wait: in.wait(defaultWait)})
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return encode(map[string]any{"content": textContent(err.Error()), "isError": true}), nil
	}
	reply := encode(out)
	return encode(map[string]any{"content": textContent(string(reply)), "structuredContent": reply}), nil
}

func textContent(text string) []map[string]string {
	return []map[string]string{{"type": "text", "text": text}}
}

package slacktest

import (
	"net/http"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// A link is one open socket.
type link struct {
	conn *websocket.Conn
	acks chan string
	done chan struct{}
}

// A Link is a socket that a client has opened.
type Link struct{ l *link }

func (s *Server) serveLink(w http.ResponseWriter, r *http.Request) {
	conn, err := (&websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer conn.Close()
	l := &link{conn, make(chan string, 100), make(chan struct{})}
	defer close(l.done)
	if conn.WriteJSON(map[string]any{"type": "hello", "num_connections": 1, "connection_info": map[string]any{"app_id": AppID}}) != nil {
		return
	}
	s.socket <- l
	for {
		var ack struct {
			EnvelopeID string `json:"envelope_id"`
		}
		if conn.ReadJSON(&ack) != nil {
			return
		}
		l.acks <- ack.EnvelopeID
	}
}

// Link waits until a client has opened a socket.
func (s *Server) Link(t testing.TB) *Link {
	t.Helper()
	select {
	case l := <-s.socket:
		return &Link{l}
	case <-time.After(20 * time.Second):
		t.Fatal("nobody opened a socket")
		return nil
	}
}

// Send sends what kind says, such as "events_api", and waits until it is acknowledged.
func (l *Link) Send(t testing.TB, id, kind string, payload any) {
	t.Helper()
	if err := l.l.conn.WriteJSON(map[string]any{"type": kind, "envelope_id": id, "payload": payload, "accepts_response_payload": false}); err != nil {
		t.Fatal(err)
	}
	select {
	case got := <-l.l.acks:
		if got != id {
			t.Errorf("%s is acknowledged, not %s", got, id)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("nobody acknowledged")
	}
}

// Drop closes the socket, as Slack does now and then.
func (l *Link) Drop() {
	_ = l.l.conn.Close()
	<-l.l.done
}

// Lost sends what the client cannot take: it is not acknowledged before what follows.
func (l *Link) Lost(t testing.TB, id, kind string, payload any) {
	t.Helper()
	if err := l.l.conn.WriteJSON(map[string]any{"type": kind, "envelope_id": id, "payload": payload, "accepts_response_payload": false}); err != nil {
		t.Fatal(err)
	}
}

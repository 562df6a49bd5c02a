package github

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"mime"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/surface"
)

// Headers of a webhook.
const (
	HeaderEvent     = "X-GitHub-Event"
	HeaderDelivery  = "X-GitHub-Delivery"
	HeaderSignature = "X-Hub-Signature-256"
)

const signatureStart = "sha256="

// Sign gives the value of HeaderSignature for a body.
func Sign(secret string, body []byte) string {
	return signatureStart + hex.EncodeToString(sum(secret, body))
}

func sum(secret string, body []byte) []byte {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write(body)
	return h.Sum(nil)
}

// signed says whether exactly one signature is there and is that of the bytes. How
// long it takes does not tell how much of it was right.
func signed(secret string, header http.Header, body []byte) bool {
	values := header.Values(HeaderSignature)
	if len(values) != 1 || secret == "" {
		return false
	}
	text, ok := strings.CutPrefix(values[0], signatureStart)
	if !ok || len(text) != 2*sha256.Size {
		return false
	}
	got, err := hex.DecodeString(text)
	return err == nil && hmac.Equal(got, sum(secret, body))
}

// verify looks at the raw request before anything is read of it.
func (c *channel) verify(_ context.Context, r *agent.Request) (*agent.Response, error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return refused(http.StatusUnsupportedMediaType, "unsupported_media_type", "choose application/json as the content type of the webhook"), nil
	}
	switch {
	case c.o.WebhookSecret == "" && !direct(r):
		return nil, agent.ErrUnauthorized
	case c.o.WebhookSecret != "" && !signed(c.o.WebhookSecret, r.Header, r.Body):
		return nil, agent.ErrUnauthorized
	}
	event := r.Header.Get(HeaderEvent)
	switch {
	case event == "":
		return refused(http.StatusBadRequest, "invalid_body", "the header "+HeaderEvent+" is missing"), nil
	case !json.Valid(r.Body):
		return refused(http.StatusBadRequest, "invalid_body", "the body is no JSON"), nil
	case event == "ping":
		return said(http.StatusOK, map[string]any{"ok": true, "event": "ping"}), nil
	case !c.listens(event):
		return said(http.StatusOK, map[string]any{"ok": true, "event": event, "ignored": "the channel does not listen to this event"}), nil
	}
	return nil, nil
}

// listens says whether an event is looked at.
func (c *channel) listens(event string) bool {
	if c.o.WebhookEvents != nil {
		return slices.Contains(c.o.WebhookEvents, event)
	}
	return slices.Contains(Events(), event)
}

// forwarding are headers that a proxy adds.
var forwarding = []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Via"}

// direct says whether the caller is on this machine and nobody stands between.
func direct(r *agent.Request) bool {
	peer, err := netip.ParseAddrPort(r.Remote)
	if err != nil || !peer.Addr().Unmap().IsLoopback() {
		return false
	}
	return !slices.ContainsFunc(forwarding, func(name string) bool { return len(r.Header.Values(name)) > 0 })
}

// deliveryID is GitHub's own, a UUID. A long one of somebody else is shortened.
func deliveryID(r *agent.Request) string {
	id := r.Header.Get(HeaderDelivery)
	if len(id) > 128 {
		return surface.Digest(id)
	}
	return id
}

func refused(status int, code, message string) *agent.Response {
	return said(status, map[string]any{"ok": false, "error": code, "message": message})
}

func said(status int, body any) *agent.Response {
	b, _ := json.Marshal(body) // texts and truth values alone
	return &agent.Response{Status: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: bytes.NewReader(b)}
}

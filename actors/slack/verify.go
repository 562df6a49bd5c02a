package slack

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/surface"
)

// Headers of a request of Slack's.
const (
	HeaderTimestamp = "X-Slack-Request-Timestamp"
	HeaderSignature = "X-Slack-Signature"
)

const signatureStart = "v0="

// maxSkew is how old, or how far ahead, a request may be.
const maxSkew = 5 * time.Minute

// Sign gives the value of HeaderSignature for a body and a HeaderTimestamp.
func Sign(secret, timestamp string, body []byte) string {
	return signatureStart + hex.EncodeToString(sum(secret, timestamp, body))
}

func sum(secret, timestamp string, body []byte) []byte {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte("v0:" + timestamp + ":"))
	h.Write(body)
	return h.Sum(nil)
}

// secondsForm is a whole number of seconds, and no other way to write one.
var secondsForm = regexp.MustCompile(`^[0-9]{1,12}$`)

// signed says whether exactly one signature and one time are there, the time is of now
// and the signature that of the bytes. How long it takes does not tell how much of it was right.
func signed(secret string, now time.Time, header http.Header, body []byte) bool {
	signatures, times := header.Values(HeaderSignature), header.Values(HeaderTimestamp)
	if secret == "" || len(signatures) != 1 || len(times) != 1 || !secondsForm.MatchString(times[0]) {
		return false
	}
	at, err := strconv.ParseInt(times[0], 10, 64)
	if err != nil || now.Sub(time.Unix(at, 0)).Abs() > maxSkew {
		return false
	}
	text, ok := bytes.CutPrefix([]byte(signatures[0]), []byte(signatureStart))
	got := make([]byte, sha256.Size)
	if !ok || len(text) != hex.EncodedLen(sha256.Size) {
		return false
	}
	_, err = hex.Decode(got, text)
	return err == nil && hmac.Equal(got, sum(secret, times[0], body))
}

// verify looks at the raw request before anything is read of it.
func (c *channel) verify(_ context.Context, r *agent.Request) (*agent.Response, error) {
	if !signed(c.o.SigningSecret, c.o.Clock.Now(), r.Header, r.Body) {
		return nil, agent.ErrUnauthorized
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err == nil && kind == typeForm:
		return verifyForm(r.Body), nil
	case err == nil && kind == typeJSON:
		return verifyEvent(r.Body), nil
	}
	return refused(http.StatusUnsupportedMediaType, "unsupported_media_type", "Slack sends application/json and application/x-www-form-urlencoded"), nil
}

// Content types of what Slack sends.
const (
	typeJSON = "application/json"
	typeForm = "application/x-www-form-urlencoded"
)

// verifyEvent answers what asks for nothing but an answer.
func verifyEvent(body []byte) *agent.Response {
	var e struct{ Type, Challenge string }
	if json.Unmarshal(body, &e) != nil {
		return refused(http.StatusBadRequest, "invalid_body", "the body is no JSON object")
	}
	switch e.Type {
	case "url_verification":
		return said(http.StatusOK, map[string]any{"challenge": e.Challenge})
	case "event_callback":
		return nil
	}
	return said(http.StatusOK, map[string]any{"ok": true, "ignored": "the channel does not know this type"})
}

func verifyForm(body []byte) *agent.Response {
	form, err := url.ParseQuery(string(body))
	switch {
	case err != nil:
		return refused(http.StatusBadRequest, "invalid_body", "the form cannot be read")
	case form.Get("ssl_check") == "1":
		return said(http.StatusOK, map[string]any{"ok": true})
	case form.Get("payload") != "" && !json.Valid([]byte(form.Get("payload"))):
		return refused(http.StatusBadRequest, "invalid_body", "payload is no JSON")
	case form.Get("payload") == "" && form.Get("command") == "":
		return refused(http.StatusBadRequest, "invalid_body", "the form has neither payload nor command")
	}
	return nil
}

// deliveryID is the same when Slack sends the same again: an event's id, or what names a
// click or a command. A long one of somebody else is shortened.
func deliveryID(r *agent.Request) string {
	in, err := readIncoming(r)
	if err != nil {
		return ""
	}
	id := in.id()
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
	return &agent.Response{Status: status, Header: http.Header{"Content-Type": {typeJSON}}, Body: bytes.NewReader(b)}
}

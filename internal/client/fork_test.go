package client

import (
	"strings"
	"testing"

	"github.com/gobdk/bdk/events"
)

// http.md: "`POST …/fork {index}` · `GET …/state?index=`".
func TestClient_ForksAndLooksBack(t *testing.T) {
	t.Parallel()
	c, asked := serve(t, map[string]string{
		"POST /v1/session/ses_1/fork": `{"ok":true,"sessionId":"ses_2","continuationToken":"http:1","index":6}`,
		"GET /v1/session/ses_1/state": `{"ok":true,"sessionId":"ses_1","index":7,"status":"parked","turnId":"turn_1","openCalls":[{"callId":"c1","toolName":"merge","args":{"n":1},"turnId":"turn_1","status":"parked"}],"approvals":[{"callId":"c1","requestId":"r1"}],"usage":{"inputTokens":3}}`,
	})
	if f, err := c.Fork(t.Context(), "ses_1", 7); err != nil || f != (Forked{Accepted{"ses_2", "http:1"}, 6}) {
		t.Errorf("%+v, %v", f, err)
	}
	index := uint64(7)
	for _, at := range []*uint64{&index, nil} {
		s, err := c.State(t.Context(), "ses_1", at)
		if err != nil || s.Index != 7 || s.Status != "parked" || s.TurnID != "turn_1" || s.OpenCalls[0].CallID != "c1" || s.OpenCalls[0].Status != "parked" || s.Approvals[0].RequestID != "r1" || s.Usage != (events.Usage{InputTokens: 3}) {
			t.Errorf("%+v, %v", s, err)
		}
	}
	if got := strings.Join(*asked, "\n"); got != "POST /v1/session/ses_1/fork {\"index\":7}\nGET /v1/session/ses_1/state?index=7\nGET /v1/session/ses_1/state" {
		t.Errorf("asked %s", got)
	}
}

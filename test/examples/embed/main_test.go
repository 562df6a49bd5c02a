package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gobdk/bdk/transport"
)

// What the command's comment says to type.
func TestEmbed_AnswersOverHTTP(t *testing.T) {
	t.Parallel()
	handler, end, err := open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(handler)
	server.Config = transport.NewServer(handler, nil)
	server.Start()
	defer func() {
		server.Close()
		if err := end(); err != nil {
			t.Error(err)
		}
	}()
	lines := converse(t, server.URL, `{"message":"/call weather {\"city\":\"Oslo\"}"}`)
	var types []string
	for _, line := range lines {
		var e struct {
			Type string
			Data struct{ Output json.RawMessage }
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		types = append(types, e.Type)
		if e.Type == "action.result" && string(e.Data.Output) != `{"text":"Sun over Oslo."}` {
			t.Errorf("the tool said %s", e.Data.Output)
		}
	}
	all := strings.Join(types, " ")
	if !strings.Contains(all, "actions.requested action.result") || types[len(types)-1] != "session.waiting" {
		t.Errorf("events: %s", all)
	}
}

func converse(t *testing.T, url, body string) []string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/v1/session", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/x-ndjson")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s, %v: %s", res.Status, err, b)
	}
	return strings.Split(strings.TrimSpace(string(b)), "\n")
}

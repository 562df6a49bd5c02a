package fakemodel_test

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/model/fakemodel"
)

const ask = `{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}`

func post(t *testing.T, client *http.Client, url, body string) (*http.Response, string, error) {
	t.Helper()
	resp, err := client.Post(url+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	return resp, string(raw), err
}

// The bytes of every action, as a file that is read like a protocol.
func TestServer_PlaysByteForByte(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile(filepath.Join("testdata", "every.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join("testdata", "every.sse"))
	if err != nil {
		t.Fatal(err)
	}
	s, url := fakemodel.Run(t, string(script))
	for name, client := range map[string]*http.Client{"loopback": http.DefaultClient, "memory": {Transport: s.Transport()}} {
		resp, got, err := post(t, client, url, ask)
		if err != nil || got != string(want) || resp.Header.Get("Content-Type") != "text/event-stream" {
			t.Errorf("%s: %v\n got %s\nwant %s", name, err, got, want)
		}
	}
}

func TestServer_AnswersInOrderTheLastAgain(t *testing.T) {
	t.Parallel()
	s, url := fakemodel.Run(t, "status 429 Retry-After=2\nbody {\"error\":{}}\n---\nbody last\n")
	for i, want := range []int{429, 200, 200} {
		resp, body, err := post(t, http.DefaultClient, url, ask)
		if err != nil || resp.StatusCode != want || (i == 0) != (resp.Header.Get("Retry-After") == "2") || (i > 0) != (body == "last") {
			t.Errorf("answer %d: %v %v %q", i, resp, err, body)
		}
	}
	if n := len(s.Requests()); n != 3 {
		t.Errorf("%d requests", n)
	}
}

func TestServer_CutsConnections(t *testing.T) {
	t.Parallel()
	for _, script := range []string{"delta a\ncut", "delta a\nreset", "cut", "reset"} {
		s, url := fakemodel.Run(t, script)
		for name, client := range map[string]*http.Client{"loopback": http.DefaultClient, "memory": {Transport: s.Transport()}} {
			if _, _, err := post(t, client, url, ask); err == nil || errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("%s, %q: got %v", name, script, err)
			}
		}
	}
}

func TestParse_Faults(t *testing.T) {
	t.Parallel()
	for _, script := range []string{"", "---", "jump", "status", "status 99", "header x", `delta "x`, "sleep soon", "call x", "args y z", "usage tokens=1"} {
		if _, err := fakemodel.Parse(script); err == nil {
			t.Errorf("%q was read", script)
		}
	}
}

func TestCheck_WhatAStrictProviderRefuses(t *testing.T) {
	t.Parallel()
	message := func(list string) string { return `{"model":"m","stream":true,"messages":[` + list + `]}` }
	call := func(id, name, args string) string {
		return `{"role":"assistant","tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"` + name + `","arguments":` + args + `}}]}`
	}
	const hi, result = `{"role":"user","content":"hi"}`, `{"role":"tool","tool_call_id":"a","content":"1"}`
	for body, want := range map[string]string{
		ask: "",
		message(hi + "," + call("a", "f", `"{}"`) + "," + result): "",
		"\xff": "UTF-8",
		"[]":   "no JSON object",
		`{"model":"m","stream":true,"messages":[],"effort":"high"}`:          "unrecognized request argument: effort",
		`{"stream":true,"messages":[]}`:                                      "the model is missing",
		`{"model":"m","messages":[` + hi + `]}`:                              "stream is not true",
		message(hi + "," + call("a", "f", `"{}"`)):                           "have no result",
		message(hi + "," + call("a", "f", `"{}"`) + "," + hi + "," + result): "have no result",
		message(hi + "," + result):                                           "answers no open call",
		message(hi + "," + call("a", "f b", `"{}"`) + "," + result):          "not allowed",
		message(hi + "," + call("a", "f", `"{}{}"`) + "," + result):          "no JSON object",
		message(hi + `,{"role":"assistant"}`):                                "neither content nor calls",
		message(hi + `,{"role":"system","content":"x"}`):                     "is not the first",
		message(`{"role":"robot","content":"x"}`):                            `unknown role "robot"`,
		`{"model":"m","stream":true,"messages":[` + hi + `],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]}`: "has no properties",
	} {
		got := strings.Join(fakemodel.Check([]byte(body)), "; ")
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s\n got %q\nwant %q", body, got, want)
		}
	}
}

func TestServer_RefusesWithoutUsingAnAnswer(t *testing.T) {
	t.Parallel()
	s, err := fakemodel.New("body ok", &fakemodel.Options{Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: s.Transport()}
	resp, body, err := post(t, client, "http://fake/v1", ask)
	if err != nil || resp.StatusCode != http.StatusUnauthorized || !strings.Contains(body, "the key is missing or wrong") {
		t.Errorf("got %v %q %v", resp, body, err)
	}
	if f := s.Faults(); len(f) != 1 {
		t.Errorf("faults: %v", f)
	}
}

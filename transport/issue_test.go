package transport

import (
	"fmt"
	"strings"
	"testing"
)

// Paths of issues have one style: dotted, places of arrays and odd keys in
// brackets, no leading dot.
func TestPathStep_OneStyle(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		"a": "a", "mesſage": "mesſage", "0": "0", "": `[""]`, "a.b": `["a.b"]`, "a/b": `["a/b"]`, "a b": `["a b"]`, `a"b`: `["a\"b"]`, "a\nb": `["a\nb"]`,
		"[0]": `["[0]"]`, "<a>": "<a>", "<a.b>": `["<a.b>"]`, "a\x00": `["a\u0000"]`, strings.Repeat("é", 200): strings.Repeat("é", 200),
		strings.Repeat("é", 201): strings.Repeat("é", 200) + "…",
	} {
		if got := pathStep(key); got != want {
			t.Errorf("%q is written %s, want %s", key, got, want)
		}
	}
	for _, tc := range []struct{ body, want string }{
		{`{"a":{"b.c":[0,{"d":1,"d":2}]}}`, `a["b.c"][1].d`}, {`{"a.b":[[tru]]}`, `["a.b"][0][0]`}, {`{"x":{"":1,"":2}}`, `x[""]`}, {`{"x":1,"x":2}`, "x"},
	} {
		if _, f := scan([]byte(tc.body)); f == nil || f.path != tc.want {
			t.Errorf("%s: %+v, want a fault at %s", tc.body, f, tc.want)
		}
	}
}

// An error about one of several values names them, each fault is one issue, and the
// message says the first.
func TestFaults_NameTheValues(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	id, token := c.started("x")
	base := "/bot/v1/session/" + id
	both := fmt.Sprintf(`{"sessionId":%q,"continuationToken":%q}`, id, token)
	statuses, purposes := "must be running, parked, waiting, completed or failed", "must be live or eval"
	for _, tc := range []struct{ method, path, body, code, issue string }{
		{"GET", "/bot/v1/sessions?status=foo", "", "invalid_query", "status: " + statuses},
		{"GET", "/bot/v1/sessions?status=", "", "invalid_query", "status: " + statuses},
		{"GET", "/bot/v1/sessions?purpose=foo", "", "invalid_query", "purpose: " + purposes},
		{"GET", "/bot/v1/sessions?limit=x", "", "invalid_query", "limit: must be an integer from 1 to 200"},
		{"GET", "/bot/v1/sessions?limit=0", "", "invalid_query", "limit: must be an integer from 1 to 200"},
		{"GET", "/bot/v1/sessions?limit=x&limit=y", "", "invalid_query", "limit: is there more than once"},
		{"GET", "/bot/v1/sessions?status=foo&status=bar", "", "invalid_query", "status: is there more than once"},
		{"GET", "/bot/v1/sessions?a.b=1", "", "invalid_query", `["a.b"]: this route does not take this parameter`},
		{"GET", base + "/events?format=xml", "", "invalid_query", "format: must be json or ndjson"},
		{"GET", base + "/stream?follow=no", "", "invalid_query", "follow: must be true or false"},
		{"GET", base + "/stream?until=end", "", "invalid_query", "until: must be idle"},
		{"GET", "/bot/v1/logs?after=x", "", "invalid_query", "after: must be a plain non-negative integer"},
		{"GET", "/bot/v1/tools?session=" + id + "&continuationToken=" + token, "", "invalid_query", "continuationToken: excludes session; give one of them"},
		{"POST", "/bot/v1/session", `{"message":"x","purpose":"foo"}`, "invalid_body", "purpose: " + purposes},
		{"POST", "/bot/v1/session", `{"message":"x","purpose":1}`, "invalid_body", "purpose: " + purposes},
		{"POST", "/bot/v1/session", `{"message":"x","purpose":"\ud83d"}`, "invalid_body", "purpose: " + purposes},
		{"POST", "/bot/v1/session", `{"message":"x","mesage":1}`, "unknown_field", "mesage: this route does not take this field"},
		{"POST", "/bot/v1/session", `{"Message":"x"}`, "unknown_field", `Message: this field is written "message"`},
		{"POST", "/bot/v1/session", `{"message":"x","workspaceFiles":{"a/../b":""}}`, "invalid_path", `workspaceFiles["a/../b"]: has the part ..`},
		{"POST", base, `{}`, "invalid_body", "continuationToken: is required\nmessage: is required"},
		{"POST", base + "/approvals/x", `{"decision":"maybe"}`, "invalid_body", "decision: must be approve or deny"},
		{"POST", base + "/approvals/x", `{"decision":null}`, "invalid_body", "decision: must be approve or deny"},
		{"POST", "/bot/v1/tools/echo", both, "invalid_input", "continuationToken: excludes sessionId; give one of them"},
		{"POST", "/bot/v1/tools/echo", `{"input":[]}`, "invalid_input", "input: must be an object"},
	} {
		m := c.do(tc.method, tc.path, tc.body).want(t, 400, tc.code)
		var got []string
		issues, _ := m["issues"].([]any)
		for _, i := range issues {
			i := i.(map[string]any)
			got = append(got, fmt.Sprintf("%v: %v", i["path"], i["message"]))
		}
		if strings.Join(got, "\n") != tc.issue {
			t.Errorf("%s %s: issues %q, want %q", tc.path, tc.body, got, tc.issue)
		}
		if len(got) > 0 && m["message"] != got[0] {
			t.Errorf("%s %s: message %q, the first issue is %q", tc.path, tc.body, m["message"], got[0])
		}
	}
}

// A body of a thousand faults, or with a key of a megabyte, makes no answer of that size.
func TestFaults_Bounded(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	var b strings.Builder
	b.WriteString(`{"message":"x"`)
	for i := range 1000 {
		fmt.Fprintf(&b, `,"k%d":1`, i)
	}
	m := c.do("POST", "/bot/v1/session", b.String()+"}").want(t, 400, "unknown_field")
	if n := len(m["issues"].([]any)); n != maxIssues {
		t.Errorf("%d issues", n)
	}
	long := strings.Repeat("k", 1<<20-20)
	for body, code := range map[string]string{
		`{"` + long + `":1}`: "unknown_field",
		`{"` + long[:1<<19-20] + `":1,"` + long[:1<<19-20] + `":1}`:   "invalid_body",
		`{"message":"x","workspaceFiles":{"/` + long[:1000] + `":1}}`: "invalid_body",
		`{"message":"x","workspaceFiles":{"/` + long + `":""}}`:       "invalid_path",
	} {
		a := c.do("POST", "/bot/v1/session", body)
		a.want(t, 400, code)
		if len(a.body) > 4096 {
			t.Errorf("%s: the answer to a long key has %d bytes", code, len(a.body))
		}
	}
}

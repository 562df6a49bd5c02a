package pages_test

import (
	"reflect"
	"testing"

	"github.com/gobdk/bdk/test/pages"
)

const page = "# A page\n\n<!-- folder: demo -->\n<!-- file: bot/a.md -->\n\n```md\nHello\n```\n\n```console\n$ bdk run \\\n  --text\nhi\n…\n$ true\n```\n"

func TestRead_FilesAndCommands(t *testing.T) {
	t.Parallel()
	p, err := pages.Read(page)
	if err != nil {
		t.Fatal(err)
	}
	want := &pages.Page{
		Folder:   "demo",
		Files:    map[string]string{"bot/a.md": "Hello\n"},
		Commands: []pages.Command{{Line: "bdk run \\\n  --text", Want: []string{"hi", "…"}}, {Line: "true"}},
	}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("got %+v", p)
	}
	if _, err := pages.Read("```console\nbdk run\n```\n"); err == nil {
		t.Error("a block without a command was taken")
	}
}

func TestMatches_WhatDiffersFromRunToRun(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want, got []string
		ok        bool
	}{
		{nil, nil, true},
		{nil, []string{"more"}, false},
		{[]string{"a"}, nil, false},
		{[]string{"took … ms"}, []string{"took 17 ms"}, true},
		{[]string{"took … ms"}, []string{"took 17 s"}, false},
		{[]string{"a", "…", "z"}, []string{"a", "b", "c", "z"}, true},
		{[]string{"a", "…", "z"}, []string{"a", "z"}, true},
		{[]string{"a", "…", "z"}, []string{"a", "b"}, false},
		{[]string{`"ses_01K00000000000000000000000"`}, []string{`"ses_01KZ0000000000000000000009"`}, true},
		{[]string{"(a.b)"}, []string{"(aXb)"}, false},
	} {
		if pages.Matches(c.want, c.got) != c.ok {
			t.Errorf("%q and %q: want %v", c.want, c.got, c.ok)
		}
	}
}

package harness

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

func TestRead_Text(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	r.file("a/b.txt", "one\ntwo\nthree")
	r.file("empty", "")
	r.want("read", `{"path":"a/b.txt"}`, "one\ntwo\nthree")
	r.want("read", `{"path":"./a/b.txt","offset":2}`, "two\nthree")
	r.want("read", `{"path":"a/b.txt","offset":2,"limit":1}`, "two\n[the file goes on; read on with offset 3]")
	r.want("read", `{"path":"a/b.txt","offset":3,"limit":1}`, "three")
	r.want("read", `{"path":"a/b.txt","offset":4}`, `error: reading "a/b.txt": it has 3 lines, and offset is 4`)
	r.want("read", `{"path":"a/b.txt","offset":9}`, `error: reading "a/b.txt": it has 3 lines, and offset is 9`)
	r.want("read", `{"path":"empty"}`, "[the file is empty]")
	r.want("read", `{"path":"a"}`, `error: reading "a": it is a folder; ls lists it`)
	r.want("read", `{"path":"a/b.txt/c"}`, `error: reading "a/b.txt/c": there is no such file or folder; did you mean "a/b.txt"?`)
	r.wantPart("read", `{"path":""}`, "error: the path is missing")
	r.wantPart("read", `{"path":"a/b.txt","offset":-1}`, "error: offset and limit are not negative")
	r.wantPart("read", `{}`, "error: invalid input")
	r.file("ended", "one\ntwo\n")
	r.want("read", `{"path":"ended","offset":3}`, `error: reading "ended": it has 2 lines, and offset is 3`)
}

func TestRead_PartsOfALongFile(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	r.file("long", b.String())
	whole, offset := "", 1
	for offset > 0 {
		text := r.do("read", fmt.Sprintf(`{"path":"long","offset":%d}`, offset))
		shown, note, more := strings.Cut(text, "[the file goes on; read on with offset ")
		whole += shown
		offset = 0
		if more {
			_, err := fmt.Sscanf(note, "%d]", &offset)
			must(t, err)
		}
	}
	if whole != b.String() {
		t.Errorf("the parts make %d bytes, the file has %d", len(whole), b.Len())
	}
	r.file("wide", strings.Repeat(strings.Repeat("x", 40_000)+"\n", 3))
	r.wantPart("read", `{"path":"wide"}`, "x\n[the file goes on; read on with offset 2]")
	r.file("line", "first\n"+strings.Repeat("👩‍👩‍👧‍👦", 10_000)+"\nlast\n")
	r.want("read", `{"path":"line"}`, "first\n[the file goes on; read on with offset 2]")
	r.wantPart("read", `{"path":"line","offset":2}`, "[line 2 goes on: it is longer than read shows; grep finds in it, and shell can cut what lies in the workspace]")
	r.want("read", `{"path":"line","offset":3}`, "last\n")
}

// C46: "49 999 ASCII + 👩‍👩‍👧‍👦 at the cut; … file with bytes ff fe" → "Cut on rune … border".
func TestRead_WhatIsNoText(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	r.file("bad", "a\xff\xfeb\n")
	r.want("read", `{"path":"bad"}`, "a\uFFFDb\n")
	r.file("nul", "PK\x00\x01")
	r.want("read", `{"path":"nul"}`, `error: reading "nul": it is a binary file of 4 bytes; read shows text`)
	for n := range 8 {
		r.file("cut", strings.Repeat("x", maxReadBytes-8+n)+"👩‍👩‍👧‍👦 and on")
		if got := r.do("read", `{"path":"cut"}`); !utf8.ValidString(got) || strings.Contains(got, "\uFFFD") {
			t.Errorf("cut inside of a character: %q", got[len(got)-200:])
		}
	}
}

// C73: "File name has a no-break space; agent's path has a plain one" → "Not found error
// lists the near match; no silent fuzzy open".
func TestRead_NearNames(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	r.file("a\u00a0b.txt", "x")
	r.file("docs/Readme.md", "x")
	r.want("read", `{"path":"a b.txt"}`, `error: reading "a b.txt": there is no such file or folder; did you mean "a\u00a0b.txt"?`)
	r.want("read", `{"path":"a\u00a0b.txt"}`, "x")
	r.want("read", `{"path":"docs/readme.md"}`, `error: reading "docs/readme.md": there is no such file or folder; did you mean "docs/Readme.md"?`)
	r.want("read", `{"path":"dcos/Readme.md"}`, `error: reading "dcos/Readme.md": there is no such file or folder; did you mean "docs"?`)
	r.want("read", `{"path":"nothing-like-it"}`, `error: reading "nothing-like-it": there is no such file or folder`)
}

// C74: "`é.txt` in NFD; list and read by NFC" → "One stored form (NFC), both readable".
func TestRead_FormsOfOneName(t *testing.T) {
	t.Parallel()
	const nfc, nfd = "\u00e9", "e\u0301"
	r := newRig(t, Options{})
	r.want("write", `{"path":"`+nfd+`/`+nfd+`.txt","content":"x"}`, "wrote "+nfc+"/"+nfc+".txt: 1 byte")
	r.want("ls", `{}`, nfc+"/")
	r.want("read", `{"path":"`+nfc+`/`+nfc+`.txt"}`, "x")
	r.want("read", `{"path":"`+nfd+`/`+nfd+`.txt"}`, "x")
	r.file("old/"+nfd, "stored by somebody else")
	r.want("read", `{"path":"old/`+nfc+`"}`, "stored by somebody else")
	r.want("write", `{"path":"old/`+nfc+`","content":"y"}`, "replaced old/"+nfd+": 1 byte")
	r.want("ls", `{"path":"old"}`, nfd+" (1 byte)")
	r.file("both/"+nfc, "composed")
	r.file("both/"+nfd, "decomposed")
	r.want("read", `{"path":"both/`+nfd+`"}`, "decomposed")
	r.want("read", `{"path":"both/`+nfc+`"}`, "composed")
}

// "`read`, `ls`, `glob`, `grep` show the deployment's `memory/` read-only beside the workspace."
func TestRead_Memory(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	must(t, r.files.Write(t.Context(), agent.FileScope{}, "memory/journal.jsonl", []byte("{\"at\":1}\n{\"at\":2}\n")))
	must(t, r.files.Write(t.Context(), agent.FileScope{}, "memory/old/x", []byte("older")))
	must(t, r.files.Write(t.Context(), agent.FileScope{}, "other/secret", []byte("not shown")))
	r.file("own.txt", "\"at\" home")
	r.want("read", `{"path":"memory/journal.jsonl","offset":2}`, "{\"at\":2}\n")
	r.want("ls", `{}`, "memory/\nown.txt (9 bytes)")
	r.want("ls", `{"path":"memory"}`, "journal.jsonl\nold/")
	r.want("glob", `{"pattern":"**/*"}`, "memory/\nmemory/journal.jsonl\nmemory/old/\nmemory/old/x\nown.txt")
	r.want("grep", `{"pattern":"\"at\""}`, "memory/journal.jsonl:1: {\"at\":1}\nmemory/journal.jsonl:2: {\"at\":2}\nown.txt:1: \"at\" home")
	r.want("grep", `{"pattern":"2","path":"memory"}`, "memory/journal.jsonl:2: {\"at\":2}")
	r.want("grep", `{"pattern":"2","path":"memory/journal.jsonl"}`, "memory/journal.jsonl:2: {\"at\":2}")
	r.want("read", `{"path":"memory/nope"}`, `error: reading "memory/nope": there is no such file or folder`)
	r.want("read", `{"path":"other/secret"}`, `error: reading "other/secret": there is no such file or folder`)
	const kept = " cannot be written to: it is the agent's memory of all sessions, which the host keeps"
	r.want("write", `{"path":"memory/x","content":"y"}`, "error: memory/x"+kept)
	r.want("edit", `{"path":"memory/journal.jsonl","old":"1","new":"3"}`, "error: memory/journal.jsonl"+kept)
	r.want("read", `{"path":"memory"}`, `error: reading "memory": it is a folder; ls lists it`)
	r.file("memory/own", "the workspace's")
	r.want("ls", `{"path":"memory"}`, "own (15 bytes)")
	r.want("write", `{"path":"memory/own","content":"y"}`, "replaced memory/own: 1 byte")
}

// "`{scope: \"principal\"}` keeps one journal per owner": nobody reads another's.
func TestRead_MemoryOfOwners(t *testing.T) {
	t.Parallel()
	dir := func(p events.Principal) string { return "memory/principals/" + p.ID }
	for owner, want := range map[string]string{
		"ann": "memory/journal.jsonl:1: of all\nmemory/principals/ann/journal.jsonl:1: of ann", "anna": "memory/journal.jsonl:1: of all", "": "memory/journal.jsonl:1: of all",
	} {
		o := Options{PrincipalDir: dir}
		if owner == "" {
			o.PrincipalDir = nil
		}
		r := newRig(t, o)
		r.owner = events.Principal{Kind: "jwt", ID: owner}
		for _, name := range []string{"memory/journal.jsonl", "memory/principals/ann/journal.jsonl", "memory/principals/bob/journal.jsonl"} {
			text := map[bool]string{true: "of all", false: "of " + strings.Split(name+"///", "/")[2]}[name == "memory/journal.jsonl"]
			must(t, r.files.Write(t.Context(), agent.FileScope{}, name, []byte(text)))
		}
		r.want("grep", `{"pattern":"of"}`, want)
		r.wantPart("read", `{"path":"memory/principals/bob/journal.jsonl"}`, "error: ")
		r.wantPart("ls", `{"path":"memory/principals/bob"}`, "error: ")
	}
}

// "opening that file with `read` records `skill.loaded`".
func TestRead_SkillIsLoaded(t *testing.T) {
	t.Parallel()
	skill := &agent.Skill{Name: "sums", Description: "Adds: \"up\"", Markdown: "Add.\n", Files: []agent.SeedFile{{Path: "ref/table.txt", Content: []byte("1 2 3")}}}
	const text = "---\nname: \"sums\"\ndescription: \"Adds: \\\"up\\\"\"\n---\n\nAdd.\n"
	facts := func(r *rig, path string) int {
		res, err := r.result(t.Context(), "read", `{"path":"`+path+`"}`)
		must(t, err)
		for _, f := range res.Facts {
			if f.(*events.SkillLoaded).Name != "sums" {
				t.Errorf("loaded is %+v", f)
			}
		}
		return len(res.Facts)
	}
	laid := newRig(t, Options{Skills: []*agent.Skill{skill}})
	for _, f := range SkillFiles(skill) {
		laid.file(f.Path, string(f.Content))
	}
	beside := newRig(t, Options{Skills: []*agent.Skill{skill}, UserFolder: true})
	beside.file(".cursor/skills/sums/SKILL.md", "the user's own")
	alone := newRig(t, Options{Skills: []*agent.Skill{skill}, Allow: []string{}})
	for name, r := range map[string]*rig{"laid down": laid, "beside": beside, "alone": alone} {
		if got := r.do("read", `{"path":".cursor/skills/sums/SKILL.md"}`); got != text {
			t.Errorf("%s: read %q", name, got)
		}
		r.want("read", `{"path":".cursor/skills/sums/ref/table.txt"}`, "1 2 3")
		if facts(r, ".cursor/skills/sums/SKILL.md") != 1 || facts(r, ".cursor/skills/sums/ref/table.txt") != 0 {
			t.Errorf("%s: what was loaded is wrong", name)
		}
	}
	beside.want("write", `{"path":".cursor/skills/sums/SKILL.md","content":"x"}`, "error: .cursor/skills/sums/SKILL.md cannot be written to: it belongs to the agent")
	if got := beside.has(".cursor/skills/sums/SKILL.md"); got != "the user's own" {
		t.Errorf("the user's file became %q", got)
	}
	beside.want("glob", `{"pattern":".cursor/**"}`, ".cursor/skills/\n.cursor/skills/sums/\n.cursor/skills/sums/SKILL.md\n.cursor/skills/sums/ref/\n.cursor/skills/sums/ref/table.txt")
}

// "`tools: [...]` is an allowlist of the first seven (`[]`: none); the files of a listed
// skill can be read all the same."
func TestNew_Allowlist(t *testing.T) {
	t.Parallel()
	skill := &agent.Skill{Name: "s", Description: "d", Markdown: "m"}
	for _, c := range []struct {
		allow  []string
		skills []*agent.Skill
		want   string
	}{
		{nil, nil, "read write edit ls glob grep shell"},
		{[]string{}, nil, ""},
		{[]string{"grep", "read", "nonsense"}, nil, "read grep"},
		{[]string{"shell"}, []*agent.Skill{skill}, "read shell"},
	} {
		var names []string
		for _, tl := range New(&Options{Allow: c.allow, Skills: c.skills}) {
			names = append(names, tl.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%q with %d skills: %q, want %q", c.allow, len(c.skills), got, c.want)
		}
	}
	r := newRig(t, Options{Allow: []string{"ls"}, Skills: []*agent.Skill{skill}})
	r.file("a", "x")
	r.want("read", `{"path":"a"}`, `error: reading "a": only the files of skills can be read: .cursor/skills/s/SKILL.md`)
}

func TestNew_Effects(t *testing.T) {
	t.Parallel()
	var got []string
	for _, tl := range New(&Options{}) {
		got = append(got, fmt.Sprintf("%s %s idempotent=%v contained=%v", tl.Name, tl.Effect, tl.Idempotent, tl.Contained))
	}
	want := `read read idempotent=false contained=false
write write idempotent=true contained=true
edit write idempotent=true contained=true
ls read idempotent=false contained=false
glob read idempotent=false contained=false
grep read idempotent=false contained=false
shell write idempotent=false contained=false`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	for _, tl := range New(&Options{UserFolder: true}) {
		if tl.Contained {
			t.Errorf("%s changes a folder of the user's in a dry run", tl.Name)
		}
	}
}

package cli

import (
	"strings"
	"testing"
)

const mapped = `"@cursor/bdk": ["./types/bdk/index.d.ts"],
      "@cursor/bdk/*": ["./types/bdk/*.d.ts"]`

// authoring.md: "a tsconfig.json paths entry, so that an editor and tsc check a
// project without the npm package". What else stands in the file stays as it is.
func TestMapPackages_KeepsTheRest(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ in, want string }{
		"as the scaffold writes it": {
			"{\n  // Type-checking only: \"paths\": no.\n  \"compilerOptions\": {\n    \"strict\": true, /* , } */\n    \"types\": [\"node\"]\n  },\n  \"include\": [\"bot/**/*\"]\n}\n",
			"{\n  // Type-checking only: \"paths\": no.\n  \"compilerOptions\": {\n    \"paths\": {\n      " + mapped + "\n    },\n    \"strict\": true, /* , } */\n    \"types\": [\"node\"]\n  },\n  \"include\": [\"bot/**/*\"]\n}\n",
		},
		"paths of its own": {
			"{\n  \"compilerOptions\": {\n    \"paths\": {\n      \"~/*\": [\"./src/*\"],\n    },\n  },\n}\n",
			"{\n  \"compilerOptions\": {\n    \"paths\": {\n      " + mapped + ",\n      \"~/*\": [\"./src/*\"],\n    },\n  },\n}\n",
		},
		"nothing":        {"{}", "{\n  \"compilerOptions\": {\n    \"paths\": {\n      " + mapped + "\n    }\n  }\n}"},
		"on one line":    {`{"compilerOptions":{"strict":true}}`, "{\"compilerOptions\":{\n  \"paths\": {\n    " + strings.ReplaceAll(mapped, "      ", "    ") + "\n  },\"strict\":true}}"},
		"with a baseUrl": {"{\n  \"compilerOptions\": {\n    \"baseUrl\": \"./src/app\"\n  }\n}", "{\n  \"compilerOptions\": {\n    \"paths\": {\n      " + strings.ReplaceAll(mapped, "./types", "../../types") + "\n    },\n    \"baseUrl\": \"./src/app\"\n  }\n}"},
		"Windows lines":  {"{\r\n  \"compilerOptions\": {\r\n    \"strict\": true\r\n  }\r\n}\r\n", "{\r\n  \"compilerOptions\": {\n    \"paths\": {\n      " + mapped + "\n    },\r\n    \"strict\": true\r\n  }\r\n}\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, notes, err := mapPackages(tc.in, []string{"@cursor/bdk"})
			if err != nil || got != tc.want || len(notes) > 0 {
				t.Errorf("got\n%s\nwant\n%s\n%q, %v", got, tc.want, notes, err)
			}
			again, _, err := mapPackages(got, []string{"@cursor/bdk"})
			if err != nil || again != got {
				t.Errorf("the second time it is\n%s\n%v", again, err)
			}
		})
	}
}

func TestMapPackages_SaysWhatItLeaves(t *testing.T) {
	t.Parallel()
	in := `{"extends": "./base.json", "compilerOptions": {"paths": {"@cursor/bdk": ["./mine.d.ts"]}}}`
	got, notes, err := mapPackages(in, []string{"@cursor/bdk", "@cursor/july"})
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0], `"@cursor/bdk" already`) || !strings.Contains(got, `"./mine.d.ts"`) || !strings.Contains(got, `"@cursor/july/*": ["./types/bdk/*.d.ts"]`) {
		t.Errorf("%s\n%q, %v", got, notes, err)
	}
	if _, notes, err := mapPackages(`{"extends": "./base.json"}`, []string{"@cursor/bdk"}); err != nil || len(notes) != 1 || !strings.Contains(notes[0], "extends") {
		t.Errorf("%q, %v", notes, err)
	}
}

func TestMapPackages_RefusesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                       "line 1: an object is expected here",
		"[1]":                                    "line 1: an object is expected here",
		"{\n compilerOptions: {} }":              "line 2: a name in quotes is expected here",
		"{\n\"compilerOptions\" {} }":            "line 2: a colon is expected here",
		"{\"compilerOptions\": ":                 "ends inside a value",
		"{\"compilerOptions\": {\"a\": \"b":      "ends inside a value",
		`{"compilerOptions":{"baseUrl":".."}}`:   `baseUrl is "..", outside of the project`,
		`{"compilerOptions":{"baseUrl":"/abs"}}`: `baseUrl is "/abs", outside of the project`,
		"{\"compilerOptions\": [1]}":             "line 1: an object is expected here",
	} {
		if _, _, err := mapPackages(in, []string{"@cursor/bdk"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, want %q", in, err, want)
		}
	}
}

// Whatever the text, it ends, and what it adds is found the next time.
func FuzzMapPackages(f *testing.F) {
	for _, seed := range []string{"{}", `{"compilerOptions":{"paths":{}}}`, "{ // x\n /* y */ \"a\": [1,{}], }", `{"a":"\"}"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, _, err := mapPackages(text, []string{"@cursor/bdk"})
		if err != nil {
			return
		}
		if again, _, err := mapPackages(got, []string{"@cursor/bdk"}); err != nil || again != got {
			t.Errorf("%q became %q and then %q, %v", text, got, again, err)
		}
	})
}

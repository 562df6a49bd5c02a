package pages_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/gobdk/bdk/internal/cli"
	"github.com/gobdk/bdk/test/pages"
)

// written are pages whose blocks without a language that can be checked come from the program.
var written = map[string]bool{"cli.md": true}

// "code blocks checked by tests": there is no block that nothing checks. Those of files
// and consoles are played and type-checked, the others are checked by their language.
func TestBlocks_AreChecked(t *testing.T) {
	t.Parallel()
	for _, file := range all(t) {
		name := filepath.Base(file)
		markdown := read(t, file)
		p, err := pages.Read(markdown)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range pages.Blocks(markdown) {
			if fault := checkBlock(name, b, p); fault != "" {
				t.Errorf("%s:%d: %s", name, b.Line, fault)
			}
		}
	}
}

// checkBlock says what is wrong with a block, or that nothing would find that out.
func checkBlock(page string, b pages.Block, p *pages.Page) string {
	switch {
	case b.From == "from" && b.Language == "go": // compared with its file by transport/docs
		return ""
	case b.From == "file":
		if p.Files[b.Name] != b.Text || len(p.Commands) == 0 {
			return "the file " + b.Name + " is played by no command"
		}
		return ""
	}
	switch b.Language {
	case "console", "go", "ts": // played; compiled; type-checked in test/types
		return ""
	case "json":
		return checkJSON(b.Text)
	case "sh":
		return checkCommands(pages.CommandLines("bdk", b.Text))
	case "ini", "dockerfile":
		return checkCommands(started(b.Text))
	case "nginx":
		if m := regexp.MustCompile(`(?m)^.*[^;{}\s]\s*$`).FindString(b.Text); m != "" {
			return "this is no line of nginx: " + m
		}
		return ""
	case "text":
		if written[page] {
			return ""
		}
	}
	return "no test checks a block of the language " + b.Language + ": play it, or write a check"
}

// checkJSON takes one value after the other.
func checkJSON(text string) string {
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		err := d.Decode(new(any))
		if errors.Is(err, io.EOF) {
			return ""
		}
		if err != nil {
			return err.Error()
		}
	}
}

// checkCommands asks the program for the help of each call: so its flags are read, and
// nothing is run.
func checkCommands(calls [][]string) string {
	for _, words := range calls {
		var out bytes.Buffer
		process := &cli.Process{Args: append(words, "--help"), Dir: os.TempDir(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out}
		if code := cli.Main(process); code != 0 || !strings.Contains(out.String(), strings.Join(command(words), " ")) {
			return "bdk " + strings.Join(words, " ") + ": " + strings.SplitN(out.String(), "\n", 2)[0]
		}
	}
	return ""
}

// command gives the names of commands with which a call begins, of which no flag is one.
func command(words []string) (names []string) {
	for _, w := range words {
		if !regexp.MustCompile(`^[a-z]+$`).MatchString(w) || len(names) == 2 || len(names) == 1 && !subcommands[names[0]] {
			break
		}
		names = append(names, w)
	}
	return append([]string{"bdk"}, names...)
}

// subcommands are those that have commands of their own.
var subcommands = map[string]bool{"sessions": true, "mcp": true, "github": true, "slack": true}

// started gives the calls of the program in the files of what starts it.
func started(text string) (calls [][]string) {
	for _, m := range regexp.MustCompile(`(?m)^ExecStart=\S*/(bdk .*)$`).FindAllStringSubmatch(text, -1) {
		calls = append(calls, pages.CommandLines("bdk", m[1])...)
	}
	for _, m := range regexp.MustCompile(`(?m)^ENTRYPOINT (\[.*\])$`).FindAllStringSubmatch(text, -1) {
		var words []string
		if json.Unmarshal([]byte(m[1]), &words) == nil && len(words) > 0 && words[0] == "bdk" {
			calls = append(calls, words[1:])
		}
	}
	if len(calls) == 0 {
		calls = append(calls, []string{"nothing is started here"})
	}
	return calls
}

// The checks can fail.
func TestBlocks_ChecksFindFaults(t *testing.T) {
	t.Parallel()
	for language, text := range map[string]string{
		"json": `{"a":}`, "sh": "bdk serve --nothing", "ini": "ExecStart=/bin/bdk serve --nothing", "dockerfile": `ENTRYPOINT ["bdk", "nothing"]`,
		"nginx": "proxy_pass x", "rust": "fn main() {}", "": "text",
	} {
		if checkBlock("a.md", pages.Block{Language: language, Text: text}, &pages.Page{}) == "" {
			t.Errorf("nothing is wrong with %s: %s", language, text)
		}
	}
	if checkBlock("a.md", pages.Block{From: "file", Name: "a"}, &pages.Page{}) == "" {
		t.Error("a file that no command plays is fine")
	}
	for _, text := range []string{"TOKEN=x bdk serve --dev # --nothing", "cd a && bdk run --message \"a | b\" | cat > --x", `bdk run --session $(bdk sessions fork ses_1 --json) --message "x"`} {
		if fault := checkBlock("a.md", pages.Block{Language: "sh", Text: text}, &pages.Page{}); fault != "" {
			t.Errorf("%s: %s", text, fault)
		}
	}
}

func TestCommandLines(t *testing.T) {
	t.Parallel()
	got := pages.CommandLines("bdk", "A=b bdk serve \\\n  --token \"$T\" & # bdk no\necho bdk x\nbdk call t --input '{\"a\": 1}' > f; bdk run $(bdk docs)\n")
	want := [][]string{{"serve", "--token", "$T"}, {"call", "t", "--input", "{a: 1}"}, {"docs"}, {"run", "$("}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
}

func all(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "*.md"))
	if err != nil || len(found) == 0 {
		t.Fatal(err, len(found))
	}
	return found
}

func read(t *testing.T, file string) string {
	t.Helper()
	markdown, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(markdown)
}

package pages

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A Page is the sample of a page: files, and what is typed among them.
type Page struct {
	// Folder is what the folder of the files is called. Defaults to "sample".
	Folder   string
	Files    map[string]string
	Commands []Command
}

// A Command is one command with what it prints.
type Command struct {
	Line string
	Want []string
}

var (
	folderLine   = regexp.MustCompile(`(?m)^<!-- folder: (\S+) -->$`)
	fileBlock    = regexp.MustCompile("(?ms)^<!-- file: (\\S+) -->\n+```[^\n]*\n(.*?)^```$")
	consoleBlock = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
)

// Read takes the sample out of a page's Markdown.
func Read(markdown string) (*Page, error) {
	p := &Page{Folder: "sample", Files: map[string]string{}}
	if m := folderLine.FindStringSubmatch(markdown); m != nil {
		p.Folder = m[1]
	}
	for _, m := range fileBlock.FindAllStringSubmatch(markdown, -1) {
		if _, twice := p.Files[m[1]]; twice {
			return nil, fmt.Errorf("the file %s is there twice", m[1])
		}
		p.Files[m[1]] = m[2]
	}
	for _, m := range consoleBlock.FindAllStringSubmatch(markdown, -1) {
		commands, err := readConsole(m[1])
		if err != nil {
			return nil, err
		}
		p.Commands = append(p.Commands, commands...)
	}
	return p, nil
}

// readConsole splits a console block into commands; one that ends in a backslash,
// or leaves a quote open, goes on in the next line.
func readConsole(text string) (commands []Command, err error) {
	going := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		command, begins := strings.CutPrefix(line, "$ ")
		switch {
		case going:
			last := &commands[len(commands)-1]
			last.Line += "\n" + line
			going = unfinished(last.Line)
		case begins:
			commands = append(commands, Command{Line: command})
			going = unfinished(command)
		case len(commands) == 0:
			return nil, fmt.Errorf("the console block begins with %q, which is no command", line)
		default:
			last := &commands[len(commands)-1]
			last.Want = append(last.Want, line)
		}
	}
	return commands, nil
}

func unfinished(command string) bool {
	return strings.HasSuffix(command, "\\") || strings.Count(command, "'")%2 == 1
}

// Write makes a folder and puts the files into it.
func (p *Page) Write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, content := range p.Files {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// changing is what differs from run to run wherever it stands.
var changing = regexp.MustCompile(`\b(ses|turn|call|req|art|rcp|tool_[A-Za-z0-9_-]+?)_[0-9A-Za-z]{20,}\b|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)

// Matches says whether what was printed is what the page shows.
func Matches(want, got []string) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	if strings.TrimSpace(want[0]) == "…" {
		return Matches(want[1:], got) || len(got) > 0 && Matches(want, got[1:])
	}
	return len(got) > 0 && matchesLine(want[0], got[0]) && Matches(want[1:], got[1:])
}

func matchesLine(want, got string) bool {
	want, got = changing.ReplaceAllString(want, "…"), strings.TrimRight(got, " \r")
	parts := strings.Split(strings.TrimRight(want, " "), "…")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile("^" + strings.Join(parts, ".*") + "$").MatchString(got)
}

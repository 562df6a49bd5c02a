package cli

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var rewrite = flag.Bool("rewrite", false, "write the reference of the commands anew: read the difference before you keep it")

const (
	referencePage  = "../../transport/docs/cli.md"
	referenceBegin = "<!-- commands: written by go test ./internal/cli -run Reference -rewrite -->\n"
	referenceEnd   = "<!-- end of the commands -->\n"
)

// The page of the command line says what the commands say of themselves: each command, and
// each flag with its default.
func TestReference_IsThatOfTheCommands(t *testing.T) {
	text, err := os.ReadFile(referencePage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), referenceBegin)
	_, after, ok2 := strings.Cut(rest, referenceEnd)
	if !ok || !ok2 {
		t.Fatal("the page has no place for the commands")
	}
	want := before + referenceBegin + "\n" + reference(t) + "\n" + referenceEnd + after
	if want == string(text) {
		return
	}
	if !*rewrite {
		t.Fatal("the page is not that of the commands: write it anew with -rewrite, and read the difference")
	}
	if err := os.WriteFile(referencePage, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// reference is the Markdown of all commands.
func reference(t *testing.T) string {
	_, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	root := newApp(newBench(t).Process, cancel).newRoot()
	var commands []*cobra.Command
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				commands = append(commands, sub)
				if sub.Name() != "completion" { // one for each shell, all alike
					walk(sub)
				}
			}
		}
	}
	walk(root)
	shared := sharedFlags(commands)
	var b strings.Builder
	b.WriteString("### Shared flags\n\n")
	table(&b, shared)
	for _, c := range commands {
		describe(&b, c, shared)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// sharedFlags are those that at least four commands have, with the same words.
func sharedFlags(commands []*cobra.Command) []*pflag.Flag {
	count := map[string]int{}
	var shared []*pflag.Flag
	for _, c := range commands {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			key := f.Name + f.Usage
			if count[key]++; count[key] == 4 {
				shared = append(shared, f)
			}
		})
	}
	slices.SortFunc(shared, func(a, b *pflag.Flag) int { return strings.Compare(a.Name, b.Name) })
	return shared
}

func describe(b *strings.Builder, c *cobra.Command, shared []*pflag.Flag) {
	fmt.Fprintf(b, "\n### %s\n\n%s.\n", c.CommandPath(), c.Short)
	for _, block := range strings.Split(c.Long, "\n\n") {
		switch {
		case block == "":
		case strings.Contains("\n"+block, "\n  "):
			fmt.Fprintf(b, "\n```text\n%s\n```\n", block)
		default:
			fmt.Fprintf(b, "\n%s\n", strings.NewReplacer("<", `\<`, "*", `\*`, "_", `\_`, "[", `\[`).Replace(block))
		}
	}
	fmt.Fprintf(b, "\n```sh\n%s\n```\n", unindented(c.Example))
	var own []*pflag.Flag
	var others []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		same := func(s *pflag.Flag) bool { return s.Name == f.Name && s.Usage == f.Usage }
		switch {
		case f.Hidden || f.Name == "help":
		case slices.ContainsFunc(shared, same):
			others = append(others, "`--"+f.Name+"`")
		default:
			own = append(own, f)
		}
	})
	if len(own) > 0 {
		b.WriteString("\n")
		table(b, own)
	}
	if len(others) > 0 {
		fmt.Fprintf(b, "\nShared: %s.\n", strings.Join(others, ", "))
	}
}

func unindented(example string) string {
	return strings.ReplaceAll(strings.TrimPrefix(example, "  "), "\n  ", "\n")
}

// table has a row for each flag.
func table(b *strings.Builder, flags []*pflag.Flag) {
	b.WriteString("| flag | what it does | default |\n| --- | --- | --- |\n")
	for _, f := range flags {
		name := "`--" + f.Name + "`"
		if f.Shorthand != "" {
			name += ", `-" + f.Shorthand + "`"
		}
		value := ""
		if d := f.DefValue; d != "" && d != "false" && d != "[]" {
			value = "`" + d + "`"
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", name, strings.NewReplacer("|", `\|`, "<", `\<`, "*", `\*`).Replace(f.Usage), value)
	}
}

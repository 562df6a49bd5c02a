package types

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gobdk/bdk/internal/cli"
	"github.com/gobdk/bdk/test/npm"
)

// bdk runs a command line in a folder and gives what it said.
func bdk(t *testing.T, dir string, args ...string) (code int, said string) {
	t.Helper()
	var out bytes.Buffer
	code = cli.Main(&cli.Process{Args: args, Dir: dir, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
	return code, out.String()
}

// tsc checks the project of a folder and gives what it says of it.
func tsc(t *testing.T, dir string, args ...string) string {
	t.Helper()
	npm.Install(t, ".")
	compiler, err := filepath.Abs("node_modules/typescript/bin/tsc")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", append([]string{compiler, "--noEmit"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatal(err)
	}
	return string(out)
}

// give puts a package of this folder into a project's node_modules.
func give(t *testing.T, dir string, packages ...string) {
	t.Helper()
	npm.Install(t, ".")
	for _, name := range packages {
		from, err := filepath.Abs(filepath.Join("node_modules", name))
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, "node_modules", name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(from, to); err != nil {
			t.Fatal(err)
		}
	}
}

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// authoring.md: "an editor and tsc check a project without the npm package", with
// Node's types and without, and in the strictest way.
func TestUses_TypeCheck(t *testing.T) {
	t.Parallel()
	for name, packages := range map[string][]string{
		"alone":             {"zod"},
		"with Node's types": {"zod", "@types/node", "undici-types"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "uses")
			if err := os.CopyFS(dir, os.DirFS("uses")); err != nil {
				t.Fatal(err)
			}
			give(t, dir, packages...)
			if _, said := bdk(t, dir, "validate", "--types"); !strings.Contains(said, "uses: types were written: types/bdk (26 files), tsconfig.json\n") {
				t.Error(said)
			}
			if said := tsc(t, dir); said != "" {
				t.Errorf("tsc says\n%s", said)
			}
			write(t, filepath.Join(dir, "tsconfig.strict.json"), `{"extends":"./tsconfig.json","compilerOptions":{
				"skipLibCheck":false,"exactOptionalPropertyTypes":true,"noUncheckedIndexedAccess":true,"noImplicitOverride":true}}`)
			said := tsc(t, dir, "-p", "tsconfig.strict.json")
			for line := range strings.SplitSeq(strings.TrimSpace(said), "\n") {
				if line != "" && !strings.HasPrefix(line, " ") && !strings.Contains(line, "node_modules/") {
					t.Errorf("tsc says in the strictest way\n%s", line)
				}
			}
		})
	}
}

var values = regexp.MustCompile(`(?m)^export declare (?:function|const) ([A-Za-z_$][\w$]*)`)

// The project uses every name, from the entry that has it.
func TestUses_EveryName(t *testing.T) {
	t.Parallel()
	var uses string
	for _, pattern := range []string{"*.ts", "*/*.ts", "*/*/*.ts", "*/*/*/*.ts", "*/*/*/*/*.ts"} {
		files, err := fs.Glob(os.DirFS("uses"), pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(filepath.Join("uses", file))
			if err != nil {
				t.Fatal(err)
			}
			uses += string(text)
		}
	}
	const declarations = "../../internal/cli/types/bdk"
	err := filepath.WalkDir(declarations, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), "_") || d.Name() == "globals.d.ts" {
			return err
		}
		rel, _ := filepath.Rel(declarations, strings.TrimSuffix(p, ".d.ts"))
		entry := strings.TrimSuffix("@cursor/bdk/"+filepath.ToSlash(rel), "/index")
		imported := strings.Join(regexp.MustCompile(`import [^;]* from "`+regexp.QuoteMeta(entry)+`";`).FindAllString(uses, -1), "\n")
		text, err := os.ReadFile(p)
		for _, m := range values.FindAllStringSubmatch(string(text), -1) {
			if !regexp.MustCompile(`\b` + regexp.QuoteMeta(m[1]) + `\b`).MatchString(imported) {
				t.Errorf("no file imports %s from %s", m[1], entry)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

var templates = []string{"assistant", "pr-reviewer", "webhook"}

// cli.md: "init: writes a project that runs at once"; each template type-checks as it
// is written, and a wrong type in it is found.
func TestTemplates_TypeCheck(t *testing.T) {
	t.Parallel()
	for _, template := range templates {
		t.Run(template, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "project")
			if code, said := bdk(t, filepath.Dir(dir), "init", "project", "--template", template); code != 0 {
				t.Fatal(said)
			}
			if said := tsc(t, dir); said != "" {
				t.Errorf("tsc says\n%s", said)
			}
			write(t, filepath.Join(dir, "bot/tools/wrong.ts"), `import { defineTool } from "@cursor/bdk/tools";
export default defineTool({
  description: "x",
  inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  execute: ({ n }, ctx) => ctx.host.kv.get(n),
});
`)
			if said := tsc(t, dir); !strings.Contains(said, "bot/tools/wrong.ts(5,44): error TS2345: Argument of type 'number' is not assignable to parameter of type 'string'.") {
				t.Errorf("tsc says %q", said)
			}
		})
	}
}

// The projects of the docs type-check as they are printed.
func TestDocs_TypeCheck(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../transport/docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	sample := regexp.MustCompile("(?s)<!-- file: (\\S+) -->\n+```\\w+\n(.*?\n)```\n")
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		files := sample.FindAllStringSubmatch(string(text), -1)
		if !slices.ContainsFunc(files, func(f []string) bool { return strings.HasSuffix(f[1], ".ts") }) {
			continue
		}
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "sample")
			for _, f := range files {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, f[1])), 0o755); err != nil {
					t.Fatal(err)
				}
				write(t, filepath.Join(dir, f[1]), f[2])
			}
			if code, said := bdk(t, dir, "validate", "--types"); code != 0 {
				t.Fatal(said)
			}
			for _, project := range projectsOf(dir, files) {
				if said := tsc(t, project); said != "" {
					t.Errorf("tsc says of %s\n%s", project, said)
				}
			}
		})
	}
}

// projectsOf are the folders of a sample whose bot/ has TypeScript.
func projectsOf(dir string, files [][]string) (dirs []string) {
	for _, f := range files {
		name, _, inside := strings.Cut("/"+f[1], "/bot/")
		if project := filepath.Join(dir, name); inside && strings.HasSuffix(f[1], ".ts") && !slices.Contains(dirs, project) {
			dirs = append(dirs, project)
		}
	}
	return dirs
}

// authoring.md: "The templates of init use plain JSON Schema and no npm package".
func TestTemplates_ImportNoPackage(t *testing.T) {
	t.Parallel()
	from := regexp.MustCompile(`(?m)\bfrom "([^"]+)"|\bimport\("([^"]+)"\)`)
	for _, template := range templates {
		dir := filepath.Join(t.TempDir(), "project")
		if code, said := bdk(t, filepath.Dir(dir), "init", "project", "--template", template); code != 0 {
			t.Fatal(said)
		}
		err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(p, ".ts") || strings.HasSuffix(p, ".d.ts") {
				return err
			}
			text, err := os.ReadFile(p)
			for _, m := range from.FindAllStringSubmatch(string(text), -1) {
				if !slices.ContainsFunc([]string{"@cursor/bdk", "./", "../"}, func(start string) bool { return strings.HasPrefix(m[1], start) }) {
					t.Errorf("%s imports %s", p, m[1])
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

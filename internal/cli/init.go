package cli

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

//go:embed all:templates
var templates embed.FS

// Templates of init.
var templateNames = []string{"assistant", "pr-reviewer", "webhook"}

// slugPattern is what the name of a project's folder looks like.
var slugPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// reservedSlugs are names that the host's own routes have.
var reservedSlugs = []string{"v1", "playground", "docs", "metrics"}

func (a *app) newInit() *cobra.Command {
	var template, model string
	c := &cobra.Command{
		Use:   "init <dir>",
		Short: "Write a project that runs at once, offline",
		Long: "init writes a new project into a folder and never overwrites a file.\n\n" +
			"Templates: assistant keeps a list of tasks; pr-reviewer reviews pull requests; webhook takes alerts.\n" +
			"Each has types for editors and tsc, an eval, and a script for the offline model.",
		Example: "  bdk init my-agent\n  bdk init reviewer --template pr-reviewer --model openai/gpt-5\n  bdk init alerts --template webhook",
		Args:    takesOne("the folder of the new project"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := oneOf("template", template, templateNames...); err != nil {
				return err
			}
			return a.initProject(args[0], template, model)
		},
	}
	c.Flags().StringVar(&template, "template", templateNames[0], list(templateNames))
	c.Flags().StringVar(&model, "model", "", "the agent's model (default: the first provider whose key is set, else the offline one)")
	return c
}

func (a *app) initProject(given, template, model string) error {
	dir := a.path(given)
	name := filepath.Base(dir)
	if !slugPattern.MatchString(name) || slices.Contains(reservedSlugs, name) {
		return usagef("%q cannot be the folder of a project: its name is the agent's, of letters, digits, - and _, and none of %s", name, strings.Join(reservedSlugs, ", "))
	}
	files, err := templateFiles(template, name, model, hasNodeTypes(dir))
	if err != nil {
		return err
	}
	if err := refuseExisting(dir, files); err != nil {
		return err
	}
	for _, f := range files {
		if err := writeNew(filepath.Join(dir, filepath.FromSlash(f.path)), f.content); err != nil {
			return err
		}
	}
	return a.print("%s has a new project of %s.\n\nTry:\n  cd %s\n  bdk run --message %q\n  bdk eval\n  bdk dev\n",
		given, plural(len(files), "file"), given, firstMessage[template])
}

// firstMessage is one that the template's offline model knows.
var firstMessage = map[string]string{
	"assistant":   "add buy milk",
	"pr-reviewer": "review https://example.com/pull/42",
	"webhook":     "alert checkout: down, no answer",
}

// A newFile is one to be written, its path relative to the project.
type newFile struct {
	path    string
	content string
}

// templateFiles gives a template's files with the name and the model in place, and
// the type declarations; node says that there are types of Node's own.
func templateFiles(template, name, model string, node bool) ([]newFile, error) {
	line := ""
	if model != "" {
		quoted, err := json.Marshal(model)
		if err != nil {
			return nil, fmt.Errorf("writing the model: %w", err)
		}
		line = "\n  model: " + string(quoted) + ","
	}
	fill := strings.NewReplacer("__NAME__", name, "__MODEL__", line)
	files, err := typeFiles(node)
	if err != nil {
		return nil, err
	}
	for _, root := range []string{"templates/common", "templates/" + template} {
		err := fs.WalkDir(templates, root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := templates.ReadFile(p)
			if err != nil {
				return err
			}
			rel := strings.TrimPrefix(p, root+"/")
			if path.Base(rel) == "gitignore" {
				rel = ".gitignore"
			}
			files = append(files, newFile{rel, fill.Replace(string(b))})
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("reading the template: %w", err)
		}
	}
	return files, nil
}

// refuseExisting makes sure that nothing would be overwritten, before anything is written.
func refuseExisting(dir string, files []newFile) error {
	for at := dir; ; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && !info.IsDir() {
			return &coded{ExitFailed, fmt.Errorf("%s is a file: choose another folder", at)}
		} else if err == nil || at == filepath.Dir(at) {
			break
		}
	}
	for _, root := range []string{"bot", "agent"} {
		if _, err := os.Lstat(filepath.Join(dir, root)); err == nil {
			return &coded{ExitFailed, fmt.Errorf("%s has a folder %s/ already: init writes new projects only", dir, root)}
		}
	}
	for _, f := range files {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(f.path))); err == nil {
			return &coded{ExitFailed, fmt.Errorf("%s has a file %s already, and init overwrites nothing: choose another folder", dir, f.path)}
		}
	}
	return nil
}

// writeNew writes a file that must not be there yet.
func writeNew(file, content string) (err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("making the folder: %w", err)
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("writing a file: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.WriteString(content); err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	return nil
}

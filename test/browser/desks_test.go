package browser

import (
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gobdk/bdk/test/pages"
	"github.com/gobdk/bdk/test/typed"
)

// A desk is an agent of the host that has channels of its own.
type desk struct {
	slug, url string
	routes    []route
}

// A route is one that people may call, as the host tells of it.
type route struct {
	channel                   string
	Method, Path, Description string
	Ingress                   bool
	BodySchema, QuerySchema   map[string]any
}

// desks serves the samples that need no packages, and whatever else in the repository has
// channels: templates of bdk init, samples of the documentation, projects of these tests.
// It gives the agents that have channels of their own, as the host tells.
func desks(t *testing.T) (*host, []desk) {
	t.Helper()
	dir := t.TempDir()
	for _, from := range append(plainSamples(t), "testdata/mirror", "testdata/switchboard") {
		if err := os.CopyFS(filepath.Join(dir, filepath.Base(from)), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	fromTemplates(t, dir)
	fromDocs(t, dir)
	h := &host{t: t, args: []string{"--dev"}, dir: dir, root: filepath.Join(t.TempDir(), "state"), port: typed.FreePort(t)}
	h.env = []string{"GITHUB_WEBHOOK_SECRET=of-the-harbour-and-its-hook", "BELL_CODE=four"}
	h.start()
	var all []desk
	h.url = h.origin
	for _, a := range h.ask("GET", "/v1/agents", nil)["agents"].([]any) {
		slug := a.(map[string]any)["slug"].(string)
		if routes := routesOf(t, h.ask("GET", "/"+slug+"/v1/info", nil)); len(routes) > 0 {
			all = append(all, desk{slug, h.origin + "/" + slug, routes})
		}
	}
	if want := len(withChannels(t, dir)); len(all) != want || want < 6 {
		t.Errorf("the host has %d agents of %d projects with channels", len(all), want)
	}
	return h, all
}

// plainSamples gives the samples that are whole without npm.
func plainSamples(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("../projects/*/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, file := range list {
		dir := filepath.Dir(file)
		if _, err := os.Stat(filepath.Join(dir, "package-lock.json")); err != nil {
			found = append(found, dir)
		} else if len(withChannels(t, dir)) > 0 {
			t.Errorf("%s has channels, and packages without which these tests cannot serve it", dir)
		}
	}
	return found
}

// withChannels gives the folders in root that have a folder of channels somewhere.
func withChannels(t *testing.T, root string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "node_modules" {
			return fs.SkipDir
		}
		if d.IsDir() && d.Name() == "channels" {
			first, _, _ := strings.Cut(strings.TrimPrefix(path, root+string(filepath.Separator)), string(filepath.Separator))
			found = append(found, filepath.Join(root, first))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Compact(found)
}

// fromTemplates writes a project of each template that has channels.
func fromTemplates(t *testing.T, dir string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, template := range withChannels(t, "../../internal/cli/templates") {
		name := filepath.Base(template)
		cmd := exec.CommandContext(t.Context(), self, "init", "new-"+name, "--template", name)
		cmd.Dir, cmd.Env = dir, append(quiet(), asHost+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("bdk init --template %s: %v: %s", name, err, out)
		}
	}
}

// fromDocs writes the sample of each page that has channels.
func fromDocs(t *testing.T, dir string) {
	t.Helper()
	list, err := filepath.Glob("../../transport/docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range list {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		page, err := pages.Read(string(text))
		if err != nil {
			t.Fatal(err)
		}
		for name := range page.Files {
			if strings.HasPrefix(name, "bot/channels/") {
				if err := page.Write(filepath.Join(dir, "docs-"+strings.TrimSuffix(filepath.Base(file), ".md"))); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// routesOf gives the routes of the channels that are the agent's own.
func routesOf(t *testing.T, info map[string]any) []route {
	t.Helper()
	text, err := json.Marshal(info["agent"])
	if err != nil {
		t.Fatal(err)
	}
	var a struct {
		Channels []struct {
			ID     string
			Routes []route
		}
	}
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	var all []route
	for _, c := range a.Channels {
		for _, r := range c.Routes {
			r.channel = c.ID
			if c.ID != "http" {
				all = append(all, r)
			}
		}
	}
	return all
}

// where is the route's path below the agent's, with parameters in place.
func (r route) where(params map[string]string) string {
	path := strings.TrimSuffix(r.Path, "/")
	for name, v := range params {
		path = strings.ReplaceAll(path, ":"+name, url.PathEscape(v))
	}
	return "/v1/channels/" + r.channel + path
}

func (r route) params() []string {
	var names []string
	for part := range strings.SplitSeq(r.Path, "/") {
		if name, ok := strings.CutPrefix(part, ":"); ok {
			names = append(names, name)
		}
	}
	return names
}

// takesBody says whether the page sends one: a DELETE has one where its schema says so.
func (r route) takesBody() bool {
	return slices.Contains([]string{"POST", "PUT", "PATCH"}, r.Method) || r.BodySchema != nil
}

// marked is a text with all that a command and a shell could take for theirs.
const marked = `the "lamp" = 'ж' $HOME & \ more`

// fitting is a value that fits a schema, with each field that there is.
func fitting(schema map[string]any) any {
	if all, ok := schema["enum"].([]any); ok {
		return all[len(all)-1]
	}
	kind, _ := schema["type"].(string)
	if list, ok := schema["type"].([]any); ok {
		kind, _ = list[0].(string)
	}
	switch kind {
	case "integer":
		return 7.0
	case "number":
		return 2.5
	case "boolean":
		return true
	case "array":
		items, _ := schema["items"].(map[string]any)
		return []any{fitting(items), fitting(items)}
	case "object":
		all := map[string]any{}
		properties, _ := schema["properties"].(map[string]any)
		for name, s := range properties {
			all[name] = fitting(s.(map[string]any))
		}
		return all
	}
	return marked
}

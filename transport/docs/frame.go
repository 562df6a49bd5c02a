package docs

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"

	"github.com/gobdk/bdk/transport/playground"
)

// A view is what the frame is filled with.
type view struct {
	Title         string
	Home          string
	Areas         []shownArea
	Page          *page // nil on the first page, and where there is none
	Missing       bool
	Before, After *page
	Style, Script string
	Icon          string
	About         string
}

// A shownArea is a part of the navigation.
type shownArea struct {
	Title, About string
	Pages        []*page
}

// render makes all files of the site.
func (s *Site) render() (*built, error) {
	pages, err := readPages()
	if err != nil {
		return nil, err
	}
	b := &built{files: map[string]file{}}
	if b.bundle, err = playground.NewBundle("docs", "web/docs.ts", union{web, playground.Sources()}); err != nil {
		return nil, err
	}
	base := view{Home: s.home, Areas: shownAreas(pages), Style: Path + "/assets/" + b.bundle.Style, Script: Path + "/assets/" + b.bundle.Script, Icon: Path + "/assets/" + b.bundle.Icon, About: about}
	if err := b.add("", base, "Documentation"); err != nil {
		return nil, err
	}
	for i, p := range pages {
		v := base
		v.Page = p
		if i > 0 {
			v.Before = pages[i-1]
		}
		if i+1 < len(pages) {
			v.After = pages[i+1]
		}
		if err := b.add(p.Name, v, p.Title); err != nil {
			return nil, err
		}
		b.files[p.Name+".md"] = newFile(markdownType, p.source)
	}
	search, err := index(pages)
	if err != nil {
		return nil, err
	}
	b.files["search.json"] = newFile(jsonType, search)
	b.files["llms.txt"] = newFile(textType, llms(pages))
	base.Missing, base.Title = true, "No such page"
	b.missing, err = base.html()
	return b, err
}

// add puts a page into its frame.
func (b *built) add(name string, v view, title string) error {
	v.Title = title
	body, err := v.html()
	b.files[name] = newFile(htmlType, body)
	return err
}

func (v view) html() ([]byte, error) {
	var b bytes.Buffer
	if err := frame.Execute(&b, v); err != nil {
		return nil, fmt.Errorf("writing a page of the documentation: %w", err)
	}
	return b.Bytes(), nil
}

// shownAreas gives each area its pages, which come in the order of the areas.
func shownAreas(pages []*page) []shownArea {
	var shown []shownArea
	for _, a := range areas {
		n := len(a.pages)
		shown = append(shown, shownArea{Title: a.title, About: a.about, Pages: pages[:n]})
		pages = pages[n:]
	}
	return shown
}

// union is several trees of files over each other: the first that has a file gives it.
type union []fs.FS

// Open opens a file of the first tree that has it.
func (u union) Open(name string) (f fs.File, err error) {
	for _, tree := range u {
		if f, err = tree.Open(name); err == nil {
			return f, nil
		}
	}
	return nil, err
}

var frame = template.Must(template.ParseFS(web, "web/frame.html"))

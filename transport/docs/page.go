package docs

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// A page is a Markdown file, rendered.
type page struct {
	Name  string
	Title string
	// Label is what the navigation calls it.
	Label string
	// About is its first sentence.
	About string
	Area  string
	Body  template.HTML
	// Contents are its headings below the title.
	Contents []heading
	sections []section
	source   []byte
}

// A heading is a place on a page.
type heading struct {
	ID    string
	Text  string
	Level int
}

// A section is what stands below a heading, as the search sees it.
type section struct {
	ID      string `json:"id"`
	Heading string `json:"heading"`
	Text    string `json:"text"`
	// Also are words for which people look who want this, from a comment <!-- find: … -->.
	Also string `json:"also,omitempty"`
	// Code has the words of its code, each once.
	Code string `json:"code,omitempty"`
}

// Link is where the page stands.
func (p *page) Link() string { return Path + "/" + p.Name }

// readPages renders all pages, in the order of the areas.
func readPages() ([]*page, error) {
	var pages []*page
	for _, a := range areas {
		for _, name := range a.pages {
			source, err := fs.ReadFile(sources, name+".md")
			if err != nil {
				return nil, fmt.Errorf("reading a page: %w", err)
			}
			p, err := readPage(name, source)
			if err != nil {
				return nil, err
			}
			p.Area = a.title
			pages = append(pages, p)
		}
	}
	return pages, nil
}

// readPage renders a page.
func readPage(name string, source []byte) (*page, error) {
	p := &page{Name: name, source: source}
	root := markdown.Parser().Parse(text.NewReader(source))
	p.outline(root)
	if p.Title == "" {
		return nil, fmt.Errorf("the page %s.md has no title", name)
	}
	p.Label = p.Title
	if l := labels[name]; l != "" {
		p.Label = l
	}
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, source, root); err != nil {
		return nil, fmt.Errorf("rendering %s.md: %w", name, err)
	}
	p.Body = template.HTML(cleaner.SanitizeBytes(b.Bytes())) //nolint:gosec // it was cleaned just now
	return p, nil
}

// outline takes the title, the headings and the texts below them.
func (p *page) outline(root ast.Node) {
	var words, code []string
	flush := func() {
		if n := len(p.sections); n > 0 {
			p.sections[n-1].Text, p.sections[n-1].Code = strings.Join(words, " "), names(code)
		}
		words, code = nil, nil
	}
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			if c, ok := n.(*ast.FencedCodeBlock); ok {
				code = append(code, string(c.Lines().Value(p.source)))
			}
			if also, ok := n.AttributeString("find"); ok && len(p.sections) > 0 {
				p.sections[len(p.sections)-1].Also = also.(string)
			}
			w := wordsOf(n, p.source)
			if n.Kind() == ast.KindParagraph && p.About == "" && p.Title != "" {
				p.About = beginning(w)
			}
			if w != "" {
				words = append(words, w)
			}
			continue
		}
		flush()
		p.heading(h)
	}
	flush()
}

func (p *page) heading(h *ast.Heading) {
	at := heading{Text: wordsOf(h, p.source), Level: h.Level}
	if id, ok := h.AttributeString("id"); ok {
		at.ID = string(id.([]byte))
	}
	if h.Level == 1 && p.Title == "" {
		p.Title = at.Text
		p.sections = append(p.sections, section{Heading: at.Text})
		return
	}
	if h.Level < 4 {
		p.Contents = append(p.Contents, at)
	}
	p.sections = append(p.sections, section{ID: at.ID, Heading: at.Text})
}

// wordsOf is the text of a node without marks; code blocks have none.
func wordsOf(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		switch c := c.(type) {
		case *ast.Text:
			if entering {
				b.Write(c.Value(source))
			} else if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.AutoLink:
			if entering {
				b.Write(c.Label(source))
			}
		default:
			if !entering && c.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// shortAbout is how long a page's beginning is, unless its first sentence is longer.
const shortAbout = 130

// beginning gives the first sentences of a text, at least one.
func beginning(s string) string {
	sentences := strings.SplitAfter(s, ". ")
	text := sentences[0]
	for _, next := range sentences[1:] {
		if len(text)+len(next) > shortAbout {
			break
		}
		text += next
	}
	return strings.TrimSuffix(strings.TrimSpace(text), ":")
}

var identifier = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]{2,}`)

// names gives the words of code, each once and in order.
func names(code []string) string {
	words := identifier.FindAllString(strings.Join(code, "\n"), -1)
	slices.Sort(words)
	return strings.Join(slices.Compact(words), " ")
}

// Package playground is the page in which people look at an agent: it talks to the
// HTTP API alone and holds no data of its own. Its sources lie under web/, and are
// bundled when they are first asked for.
package playground

import (
	"bytes"
	"embed"
	"html/template"
	"io/fs"
	"sync"
)

//go:embed web
var web embed.FS

// Sources are the files of the page, under web/: a site beside it may take its style and
// its elements from there.
func Sources() fs.FS { return web }

// A Site is the bundled page. It is safe for concurrent use.
type Site struct {
	build func() (*Bundle, error)
}

// New gives the site. Nothing is bundled before the first page or asset is asked for.
func New() *Site {
	return &Site{build: sync.OnceValues(func() (*Bundle, error) { return NewBundle("playground", "web/main.ts", web) })}
}

// policy is the Content-Security-Policy of the page: its own script and style, the API of
// its own origin, previews that it made itself, and no way to write markup.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; media-src blob:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// Policy is the Content-Security-Policy of the page.
func (s *Site) Policy() string { return policy }

// Page gives the HTML of an agent's page. Assets are found under base + "/playground/assets/",
// where base is the path that the agent's routes begin with, such as "/helper"; it may be empty.
// Docs is where the documentation is served, and may be empty too.
func (s *Site) Page(base, title, docs string) ([]byte, error) {
	b, err := s.build()
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	err = pageTemplate.Execute(&page, struct{ Title, Docs, Assets, Script, Style, Icon string }{title, docs, base + "/playground/assets/", b.Script, b.Style, b.Icon})
	return page.Bytes(), err
}

// Asset gives a file by its name, and its media type; ok is false where there is none.
func (s *Site) Asset(name string) (body []byte, mediaType string, ok bool, err error) {
	b, err := s.build()
	if err != nil {
		return nil, "", false, err
	}
	a, ok := b.Assets[name]
	return a.Body, a.MediaType, ok, nil
}

var pageTemplate = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{.Title}}</title>
{{with .Docs}}<link rel="help" href="{{.}}">
{{end}}<link rel="icon" href="{{.Assets}}{{.Icon}}">
<link rel="stylesheet" href="{{.Assets}}{{.Style}}">
<script type="module" src="{{.Assets}}{{.Script}}"></script>
</head>
<body>
<noscript>The playground needs JavaScript. The same can be done over HTTP, and with the bdk command.</noscript>
</body>
</html>
`))

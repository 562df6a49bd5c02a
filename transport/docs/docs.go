// Package docs is the documentation as a site: its pages are the Markdown files beside
// the code, in the binary. It holds no data of anybody, and needs no network.
package docs

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/gobdk/bdk/transport/playground"
)

//go:embed *.md
var sources embed.FS

// Path is where the site stands on its host.
const Path = "/docs"

// Options say where the site leads; nil for nowhere.
type Options struct {
	// Home is the path of the list of agents, such as "/"; empty where there is none.
	Home string
}

// A Site serves the pages. It is an http.Handler for Path and what stands below it, and
// safe for concurrent use.
type Site struct {
	home  string
	build func() (*built, error)
}

// New gives the site; o may be nil. Nothing is rendered before the first request.
func New(o *Options) *Site {
	s := &Site{}
	if o != nil {
		s.home = o.Home
	}
	s.build = sync.OnceValues(s.render)
	return s
}

// built is what rendering made.
type built struct {
	// files are by their paths below Path: "" is the first page.
	files   map[string]file
	missing []byte
	bundle  *playground.Bundle
}

// A file is something that the site serves.
type file struct {
	mediaType string
	body      []byte
	tag       string
}

func newFile(mediaType string, body []byte) file {
	sum := sha256.Sum256(body)
	return file{mediaType: mediaType, body: body, tag: `"` + hex.EncodeToString(sum[:12]) + `"`}
}

// Media types of the files.
const (
	htmlType     = "text/html; charset=utf-8"
	markdownType = "text/markdown; charset=utf-8"
	textType     = "text/plain; charset=utf-8"
	jsonType     = "application/json"
)

// policy is the Content-Security-Policy of the pages: their own script and style, the
// index for the search, and no way to write markup.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// ServeHTTP answers GET and HEAD; where there is no such page with a page that says so.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, err := s.build()
	if err != nil {
		http.Error(w, "the documentation cannot be shown: "+err.Error(), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	name := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, Path), "/"), "/")
	if asset, ok := strings.CutPrefix(name, "assets/"); ok {
		b.asset(w, r, asset)
		return
	}
	f, ok := b.files[name]
	if !ok {
		f = b.nothing(name)
	}
	h.Set("Content-Type", f.mediaType)
	if f.mediaType == htmlType {
		h.Set("Content-Security-Policy", policy)
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
	}
	h.Set("Cache-Control", "no-cache")
	if !ok {
		missing(w, r, f.body)
		return
	}
	h.Set("ETag", f.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.body))
}

// nothing is what stands in the place of a file that is not there: for people a page, for
// programs a line.
func (b *built) nothing(name string) file {
	switch path.Ext(name) {
	case ".md", ".txt", ".json":
		return file{mediaType: textType, body: []byte("The documentation has no such file. " + Path + "/llms.txt lists what it has.\n")}
	}
	return file{mediaType: htmlType, body: b.missing}
}

func missing(w http.ResponseWriter, r *http.Request, body []byte) {
	w.Header().Set("Cache-Control", "no-cache") // it may be there after an upgrade
	w.WriteHeader(http.StatusNotFound)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}

// asset serves a script or a style, which a browser may keep: its name changes with it.
func (b *built) asset(w http.ResponseWriter, r *http.Request, name string) {
	a, ok := b.bundle.Assets[name]
	if !ok {
		w.Header().Set("Content-Type", textType)
		missing(w, r, []byte("The documentation has no such file.\n"))
		return
	}
	w.Header().Set("Content-Type", a.MediaType)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.Body))
}

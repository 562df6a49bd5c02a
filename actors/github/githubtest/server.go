// Package githubtest is a stand-in for the REST API of GitHub on loopback: it keeps what
// is posted and serves what a test puts there. It knows the routes that the channel uses.
package githubtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A Server is the stand-in. It is safe for concurrent use.
type Server struct {
	// URL is for ClientOptions.APIURL.
	URL string

	mu       sync.Mutex
	login    string
	app      *appSide
	pulls    map[string]Pull
	comments map[string][]Comment
	seen     []Request
	faults   []fault
	next     int64
	http     *httptest.Server
}

// A Request is what the server was asked.
type Request struct {
	Method, Path, Query, Authorization string
	Body                               string
}

// A Pull is a pull request that the server has.
type Pull struct {
	Title, Body, Author, HeadSHA, Diff string
}

// A Comment is one that was posted.
type Comment struct {
	ID     int64
	Author string
	Body   string
}

// A fault answers in place of the server.
type fault struct {
	method, path string
	answer       http.HandlerFunc
}

// Start runs a server for a test, on which tokens are those of the account login.
func Start(t testing.TB, login string) *Server {
	t.Helper()
	s := New(login)
	t.Cleanup(s.Close)
	return s
}

// New is Start for what is no test; the caller closes the server.
func New(login string) *Server {
	s := &Server{login: login, pulls: map[string]Pull{}, comments: map[string][]Comment{}, next: 1000}
	mux := http.NewServeMux()
	s.routes(mux)
	s.http = httptest.NewServer(s.record(mux))
	s.URL = s.http.URL
	return s
}

// Close ends the server.
func (s *Server) Close() { s.http.Close() }

func (s *Server) routes(mux *http.ServeMux) {
	mux.HandleFunc("GET /user", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, map[string]any{"login": s.login, "type": "User"})
	})
	mux.HandleFunc("GET /repos/{owner}/{repo}/pulls/{n}", s.servePull)
	mux.HandleFunc("GET /repos/{owner}/{repo}/pulls/{n}/files", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, []any{map[string]any{"filename": "a.go", "additions": 1, "deletions": 1, "patch": "@@"}})
	})
	mux.HandleFunc("POST /repos/{owner}/{repo}/pulls/{n}/reviews", s.made)
	mux.HandleFunc("GET /repos/{owner}/{repo}/issues/{n}/comments", s.listComments)
	mux.HandleFunc("POST /repos/{owner}/{repo}/issues/{n}/comments", s.addComment)
	mux.HandleFunc("PATCH /repos/{owner}/{repo}/issues/comments/{id}", s.editComment)
	mux.HandleFunc("POST /repos/{owner}/{repo}/issues/{n}/reactions", s.made)
	mux.HandleFunc("POST /repos/{owner}/{repo}/issues/comments/{id}/reactions", s.made)
	mux.HandleFunc("POST /repos/{owner}/{repo}/pulls/comments/{id}/reactions", s.made)
	mux.HandleFunc("POST /repos/{owner}/{repo}/statuses/{sha}", s.made)
	s.appRoutes(mux)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusNotFound, map[string]any{"message": "Not Found"})
	})
}

// record keeps each request and lets faults answer first.
func (s *Server) record(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		s.mu.Lock()
		s.seen = append(s.seen, Request{r.Method, r.URL.Path, r.URL.RawQuery, r.Header.Get("Authorization"), string(body)})
		answer := s.takeFault(r)
		s.mu.Unlock()
		if answer != nil {
			answer(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// takeFault needs the lock.
func (s *Server) takeFault(r *http.Request) http.HandlerFunc {
	i := slices.IndexFunc(s.faults, func(f fault) bool {
		return (f.method == "" || f.method == r.Method) && strings.HasPrefix(r.URL.Path, f.path)
	})
	if i < 0 {
		return nil
	}
	f := s.faults[i]
	s.faults = slices.Delete(s.faults, i, i+1)
	return f.answer
}

// Fault makes the next request of a method, or of any for "", whose path begins so be
// answered by a function. Faults of one path are used up in their order.
func (s *Server) Fault(method, path string, answer http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, fault{method, path, answer})
}

// FaultAfter carries the next such request out and loses its answer: it gives 502.
func (s *Server) FaultAfter(method, path string) {
	s.Fault(method, path, func(w http.ResponseWriter, r *http.Request) {
		mux := http.NewServeMux()
		s.routes(mux)
		mux.ServeHTTP(httptest.NewRecorder(), r)
		reply(w, http.StatusBadGateway, map[string]any{"message": "Server Error"})
	})
}

// Requests gives what was asked so far, of a method and with a part of the path.
func (s *Server) Requests(method, part string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Request
	for _, r := range s.seen {
		if (method == "" || r.Method == method) && strings.Contains(r.Path, part) {
			list = append(list, r)
		}
	}
	return list
}

// AddPull puts a pull request there.
func (s *Server) AddPull(repository string, number int, p Pull) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pulls[fmt.Sprintf("%s#%d", repository, number)] = p
}

// Comments gives those of an issue or a pull request.
func (s *Server) Comments(repository string, number int) []Comment {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.comments[fmt.Sprintf("%s#%d", repository, number)])
}

func place(r *http.Request) string {
	return r.PathValue("owner") + "/" + r.PathValue("repo") + "#" + r.PathValue("n")
}

func (s *Server) servePull(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	p, ok := s.pulls[place(r)]
	s.mu.Unlock()
	switch n, _ := strconv.Atoi(r.PathValue("n")); {
	case !ok:
		reply(w, http.StatusNotFound, map[string]any{"message": "Not Found"})
	case strings.HasSuffix(r.Header.Get("Accept"), ".diff"):
		w.Header().Set("Content-Type", "application/vnd.github.diff; charset=utf-8")
		_, _ = io.WriteString(w, p.Diff)
	default:
		reply(w, http.StatusOK, map[string]any{
			"number": n, "title": p.Title, "body": p.Body, "state": "open", "user": map[string]any{"login": p.Author},
			"html_url": "https://github.com/" + strings.Replace(place(r), "#", "/pull/", 1),
			"head":     map[string]any{"ref": "change", "sha": p.HeadSHA}, "base": map[string]any{"ref": "main", "sha": "b0"},
			"additions": 1, "deletions": 1, "changed_files": 1,
		})
	}
}

func (s *Server) listComments(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []map[string]any{}
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	size, _ := strconv.Atoi(r.URL.Query().Get("per_page"))
	all := s.comments[place(r)]
	from := min(len(all), max(0, page-1)*size)
	for _, c := range all[from:min(len(all), from+size)] {
		list = append(list, c.wire())
	}
	reply(w, http.StatusOK, list)
}

func (c Comment) wire() map[string]any {
	return map[string]any{"id": c.ID, "body": c.Body, "user": map[string]any{"login": c.Author}, "created_at": time.Unix(0, 0).UTC()}
}

func (s *Server) addComment(w http.ResponseWriter, r *http.Request) {
	body, ok := bodyOf(w, r)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	c := Comment{s.next, s.login, body}
	s.comments[place(r)] = append(s.comments[place(r)], c)
	reply(w, http.StatusCreated, c.wire())
}

func (s *Server) editComment(w http.ResponseWriter, r *http.Request) {
	body, ok := bodyOf(w, r)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id, _ := strconv.ParseInt(r.PathValue("id"), 10, 64)
	for _, list := range s.comments {
		for i := range list {
			if list[i].ID == id {
				list[i].Body = body
				reply(w, http.StatusOK, list[i].wire())
				return
			}
		}
	}
	reply(w, http.StatusNotFound, map[string]any{"message": "Not Found"})
}

// maxBody is the longest comment that GitHub takes, in characters.
const maxBody = 65_536

func bodyOf(w http.ResponseWriter, r *http.Request) (string, bool) {
	var in struct{ Body string }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Body == "" {
		reply(w, http.StatusUnprocessableEntity, map[string]any{"message": "Validation Failed"})
		return "", false
	}
	if len([]rune(in.Body)) > maxBody {
		reply(w, http.StatusUnprocessableEntity, map[string]any{"message": "Validation Failed", "errors": []any{map[string]any{"message": "body is too long (maximum is 65536 characters)"}}})
		return "", false
	}
	return in.Body, true
}

// made answers for what is only counted.
func (s *Server) made(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	reply(w, http.StatusCreated, map[string]any{"id": s.next})
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client that left does not read it
}

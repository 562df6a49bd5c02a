package transport

import (
	"encoding/base64"
	"strings"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/events"
)

type startReply struct {
	OK                bool   `json:"ok"`
	SessionID         string `json:"sessionId"`
	ContinuationToken string `json:"continuationToken"`
	PlaygroundURL     string `json:"playgroundUrl,omitempty"`
	TraceURL          string `json:"traceUrl"`
}

// start opens a session with its first message.
func (c *call) start() error {
	body, err := c.readBody(max(c.h.o.Limits.FilesBodyBytes, c.h.o.Limits.BodyBytes))
	if err != nil {
		return err
	}
	s, err := c.newSession(body)
	if err != nil {
		return err
	}
	if s.Idempotency, err = c.idempotency(body); err != nil {
		return err
	}
	return c.accept(func() (actors.Accepted, error) {
		return c.h.host.StartSession(c.r.Context(), s)
	}, func(a actors.Accepted, token string) any {
		c.about.note(a.SessionID, "")
		return startReply{OK: true, SessionID: a.SessionID, ContinuationToken: token,
			PlaygroundURL: c.playgroundURL(c.agent.Slug, a.SessionID), TraceURL: c.base(c.agent.Slug) + "/v1/session/" + a.SessionID + "/events"}
	})
}

// newSession reads the body of a start.
func (c *call) newSession(body []byte) (actors.NewSession, error) {
	s := actors.NewSession{Agent: c.agent.Slug, Principal: c.principal}
	f, err := c.newForm(body, "message", "title", "dryRun", "asOf", "workspaceFiles", "purpose")
	if err != nil {
		return s, err
	}
	if _, ok := f.raw("workspaceFiles"); !ok && int64(len(body)) > c.h.o.Limits.BodyBytes {
		return s, tooLarge()
	}
	s.Message = f.message()
	s.Title = f.title()
	s.DryRun = f.boolean("dryRun")
	s.Purpose = f.oneOf("purpose", events.PurposeLive, events.PurposeEval)
	s.Files = f.files()
	if err := f.err(); err != nil {
		return s, err
	}
	return s, f.asOf(&s)
}

// message reads the message, which says something.
func (f *form) message() string {
	f.required("message")
	text, ok := f.text("message")
	if v, _ := f.raw("message"); ok && v[0] == '"' && strings.TrimSpace(text) == "" {
		f.note("message", "must not be blank")
	}
	return text
}

func (f *form) asOf(s *actors.NewSession) error {
	v, ok := f.raw("asOf")
	if !ok {
		return nil
	}
	if v[0] == '"' {
		text, _ := unquote(v[1 : len(v)-1])
		if t, ok := parseInstant(text); ok {
			s.AsOf = &t
			return nil
		}
	}
	return refuse("invalid_as_of", "asOf must be an ISO-8601 instant with a time zone, such as 2026-03-01T09:00:00Z")
}

// files reads workspaceFiles: a path to a text, or to an object with its base64.
// Whether a path is one that a workspace may have is the host's to say.
func (f *form) files() []actors.File {
	v, ok := f.raw("workspaceFiles")
	if !ok {
		return nil
	}
	members, bad := scanObject(v, f.limits.JSONDepth)
	if bad != nil {
		f.note("workspaceFiles", "must be an object of paths and contents")
		return nil
	}
	files := make([]actors.File, 0, len(members))
	for _, m := range members {
		content, problem := fileContent(m.value)
		if problem != "" {
			f.note(filePath(m.key), problem)
		}
		files = append(files, actors.File{Path: m.key, Content: content})
	}
	return files
}

// filePath is the place of a workspace file in the body.
func filePath(path string) string { return joinPath("workspaceFiles", pathStep(path)) }

func fileContent(v []byte) (content []byte, problem string) {
	switch v[0] {
	case '"':
		text, _ := unquote(v[1 : len(v)-1])
		return []byte(text), ""
	case '{':
		members, _ := scanObject(v, 1)
		if len(members) != 1 || members[0].key != "base64" || members[0].value[0] != '"' {
			break
		}
		text, _ := unquote(members[0].value[1 : len(members[0].value)-1])
		content, err := base64.StdEncoding.Strict().DecodeString(text)
		if err != nil || strings.ContainsAny(text, "\r\n") {
			return nil, "base64 cannot be read"
		}
		return content, ""
	}
	return nil, `must be a text or {"base64": "…"}`
}

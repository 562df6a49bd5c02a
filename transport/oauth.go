package transport

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"net/http"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/transport/markdown"
)

// callbackPath is where people come back to from an authorization server.
const callbackPath = actors.CallbackPath

// An AuthorizationReply says how it stands with the authorization of a connection.
type AuthorizationReply struct {
	OK         bool   `json:"ok"`
	Connection string `json:"connection"`
	// URL is the link for a person, and ExpiresAt when it is of no use any more.
	URL       string  `json:"url,omitempty"`
	ExpiresAt Instant `json:"expiresAt,omitzero"`
	// AuthorizedAt is when somebody authorized it; zero: nobody has.
	AuthorizedAt Instant `json:"authorizedAt,omitzero"`
	// FailedAt is when somebody last came back in vain since then, and Error why.
	FailedAt Instant `json:"failedAt,omitzero"`
	Error    string  `json:"error,omitempty"`
}

// beginAuthorization gives the link at which a person lets the host use a connection.
func (c *call) beginAuthorization() error {
	if _, _, err := c.readForm(); err != nil {
		return err
	}
	reply, err := c.authorization()
	if err != nil {
		return err
	}
	a, err := c.h.host.BeginAuthorization(c.r.Context(), c.agent.Slug, reply.Connection, cmp.Or(c.h.o.PublicURL, c.root())+callbackPath)
	if err != nil {
		return err
	}
	reply.URL, reply.ExpiresAt = a.URL, Instant(a.ExpiresAt)
	return c.reply(http.StatusOK, reply)
}

// showAuthorization says whether somebody has authorized a connection.
func (c *call) showAuthorization() error {
	reply, err := c.authorization()
	if err != nil {
		return err
	}
	return c.reply(http.StatusOK, reply)
}

func (c *call) authorization() (AuthorizationReply, error) {
	name := c.vars["connectionName"]
	at, err := c.h.host.Authorized(c.r.Context(), c.agent.Slug, name)
	reply := AuthorizationReply{OK: true, Connection: name, AuthorizedAt: Instant(at)}
	if at, why := c.h.host.AuthorizationFailed(c.agent.Slug, name); why != nil {
		reply.FailedAt, reply.Error = Instant(at), why.Error()
	}
	return reply, err
}

var callbackPage = template.Must(template.New("callback").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title>
<style>{{.Style}}</style>
<h1>{{.Title}}</h1>
<p>{{.Text}}</p>
</html>
`))

// callback takes what a person comes back with. Its state, which nobody can guess
// and which counts once, says whose it is.
func (c *call) callback() error {
	query := c.r.URL.Query()
	if !query.Has("state") || c.r.Method == http.MethodHead {
		return c.callbackPage(http.StatusOK, "Nothing to do", "People come here after they have let this host use a connection.")
	}
	connection, err := c.h.host.FinishAuthorization(c.r.Context(), query)
	var refused *actors.AuthorizationError
	switch {
	case err == nil:
		return c.callbackPage(http.StatusOK, "Connected", "This host may use "+connection+" now. You can close this page.")
	case errors.Is(err, actors.ErrLink):
		return c.callbackPage(http.StatusBadRequest, "Not connected", "This link was used already, or it is older than 10 minutes. Begin again.")
	case errors.As(err, &refused):
		c.h.o.Logger.Warn().Str("connection", connection).Err(err).Msg("a connection was not authorized")
		return c.callbackPage(http.StatusBadRequest, "Not connected", refused.Error())
	}
	return err
}

func (c *call) callbackPage(status int, title, text string) error {
	var page bytes.Buffer
	err := callbackPage.Execute(&page, struct {
		Style       template.CSS
		Title, Text string
	}{template.CSS(indexStyle), title, markdown.Visible(text)})
	if err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	c.page(status, indexPolicy, page.Bytes())
	return nil
}

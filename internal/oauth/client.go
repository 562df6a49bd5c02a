package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
)

// A client is who we are to one authorization server.
type client struct {
	ID     string `json:"id"`
	Secret string `json:"secret,omitempty"`
	// Method is how we prove it: "none", "client_secret_basic" or "client_secret_post".
	Method string `json:"method"`
}

// client gives the author's, or the one that was registered with this server for
// this redirect, and registers one where there is none.
func (m *Manager) client(ctx context.Context, w *web, t *Target, a *authority, redirect string) (client, error) {
	switch {
	case t.ClientID != "":
		return client{t.ClientID, t.ClientSecret, method(a.Methods, t.ClientSecret)}, nil
	case a.Registration == "":
		return client{}, fmt.Errorf("the authorization server %s registers nobody by itself: register there, with the redirect address %s, and write the clientId into oauth of the connection %s", a.Issuer, redirect, t.Connection)
	}
	place := registration(a.Issuer, redirect)
	if value, ok, err := m.o.Keeper.Get(place); err != nil {
		return client{}, err
	} else if c := (client{}); ok && m.unsealed(place, []byte(value), &c) {
		return c, nil
	}
	c, err := m.register(ctx, w, a, redirect)
	if err != nil {
		return c, fmt.Errorf("registering with %s: %w", a.Issuer, err)
	}
	sealed, err := m.sealed(place, c)
	if err == nil {
		err = m.o.Keeper.Put(place, string(sealed))
	}
	return c, err
}

// registration is where a client of a server is kept.
func registration(issuer, redirect string) string {
	return "registered\x00" + issuer + "\x00" + redirect
}

func (m *Manager) register(ctx context.Context, w *web, a *authority, redirect string) (client, error) {
	wish := "none"
	if len(a.Methods) > 0 && !slices.Contains(a.Methods, wish) {
		wish = method(a.Methods, "any")
	}
	ask, err := json.Marshal(map[string]any{
		"client_name": m.o.Name, "redirect_uris": []string{redirect}, "application_type": "native",
		"grant_types": []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"}, "token_endpoint_auth_method": wish,
	})
	if err != nil {
		return client{}, err
	}
	var got struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
		Method string `json:"token_endpoint_auth_method"`
		failure
	}
	status, err := w.post(ctx, a.Registration, "application/json", string(ask), nil, &got)
	switch {
	case err != nil:
		return client{}, err
	case status != http.StatusCreated && status != http.StatusOK:
		return client{}, errors.New(got.say(status))
	case got.ID == "":
		return client{}, errors.New("it gave no client_id")
	case got.Method == "":
		got.Method = wish
	}
	if got.Secret == "" {
		got.Method = "none"
	}
	return client{got.ID, got.Secret, got.Method}, nil
}

// method chooses how to prove who we are.
func method(offered []string, secret string) string {
	switch {
	case secret == "":
		return "none"
	case slices.Contains(offered, "client_secret_post") && !slices.Contains(offered, "client_secret_basic"):
		return "client_secret_post"
	}
	return "client_secret_basic"
}

// prove adds to a form or a header what proves who we are.
func (c client) prove(form url.Values, header http.Header) {
	switch c.Method {
	case "client_secret_basic":
		header.Set("Authorization", basic(c.ID, c.Secret))
		return
	case "client_secret_post":
		form.Set("client_secret", c.Secret)
	}
	form.Set("client_id", c.ID)
}

// A failure is how an authorization server says no.
type failure struct {
	Code        string `json:"error"`
	Description string `json:"error_description"`
}

// maxSaid is how much of a server's words an error shows.
const maxSaid = 300

func (f failure) say(status int) string {
	text := f.Code
	if text == "" {
		text = fmt.Sprintf("status %d", status)
	}
	if f.Description != "" {
		text += ": " + f.Description
	}
	if r := []rune(text); len(r) > maxSaid {
		text = string(r[:maxSaid]) + "…"
	}
	return text
}

// errRefused is for a grant that the server does not take any more.
var errRefused = errors.New("the authorization server takes the grant no longer")

package github

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"
)

// An identity is who the client is on GitHub, once that was asked.
type identity struct {
	mu    sync.Mutex
	login string
	// again is when to ask anew after nobody could say.
	again time.Time
}

// askAgain is how long a failed question is not put again.
const askAgain = time.Minute

// Login is the account whose doings are the client's own: of an app "<slug>[bot]", of a
// token its user. Empty where that cannot be known, such as for installation tokens.
func (c *Client) Login(ctx context.Context) string {
	if !c.Authenticated() {
		return ""
	}
	c.me.mu.Lock()
	defer c.me.mu.Unlock()
	now := c.clock.Now()
	if c.me.login != "" || now.Before(c.me.again) {
		return c.me.login
	}
	path := "/user"
	if c.app != nil {
		path = "/app"
	}
	c.me.again = now.Add(askAgain)
	a, err := c.do(ctx, &request{method: http.MethodGet, path: path, asApp: c.app != nil})
	if err != nil {
		return ""
	}
	var who struct{ Login, Slug string }
	if json.Unmarshal(a.body, &who) != nil {
		return ""
	}
	c.me.login = who.Login
	if who.Slug != "" {
		c.me.login = who.Slug + botEnding
	}
	return c.me.login
}

// botEnding ends the logins of apps.
const botEnding = "[bot]"

// sameLogin compares accounts as GitHub does; an app may be named without its ending.
func sameLogin(a, b string) bool {
	trim := func(s string) string { return strings.TrimSuffix(strings.ToLower(s), botEnding) }
	return a != "" && b != "" && trim(a) == trim(b)
}

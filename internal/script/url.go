package script

import (
	"strconv"
	"strings"
)

// A webURL is a URL as the WHATWG standard parses it, which is not quite what
// Go's net/url does.
type webURL struct {
	scheme, username, password string
	// host is nil where there is none, as in mailto:.
	host *string
	// port is -1 for the scheme's default.
	port int
	// path has the segments; opaque the whole where the URL has no hierarchy.
	path     []string
	opaque   *string
	query    *string
	fragment *string
}

// specialPorts are the schemes with rules of their own, and their default ports.
var specialPorts = map[string]int{"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21, "file": -1}

func (u *webURL) special() bool {
	_, ok := specialPorts[u.scheme]
	return ok
}

func (u *webURL) hasCredentials() bool { return u.username != "" || u.password != "" }

// cannotHaveCredentials says that setting a user, a password or a port does nothing.
func (u *webURL) cannotHaveCredentials() bool {
	return u.host == nil || *u.host == "" || u.scheme == "file"
}

func (u *webURL) pathname() string {
	if u.opaque != nil {
		return *u.opaque
	}
	var s strings.Builder
	for _, p := range u.path {
		s.WriteByte('/')
		s.WriteString(p)
	}
	return s.String()
}

func (u *webURL) hostPort() string {
	if u.host == nil {
		return ""
	}
	if u.port < 0 {
		return *u.host
	}
	return *u.host + ":" + strconv.Itoa(u.port)
}

// href writes the URL out.
func (u *webURL) href() string {
	var s strings.Builder
	s.WriteString(u.scheme + ":")
	if u.host != nil {
		s.WriteString("//")
		if u.hasCredentials() {
			s.WriteString(u.username)
			if u.password != "" {
				s.WriteString(":" + u.password)
			}
			s.WriteByte('@')
		}
		s.WriteString(u.hostPort())
	} else if u.opaque == nil && len(u.path) > 1 && u.path[0] == "" {
		s.WriteString("/.")
	}
	s.WriteString(u.pathname())
	if u.query != nil {
		s.WriteString("?" + *u.query)
	}
	if u.fragment != nil {
		s.WriteString("#" + *u.fragment)
	}
	return s.String()
}

func (u *webURL) origin() string {
	switch u.scheme {
	case "http", "https", "ws", "wss", "ftp":
		return u.scheme + "://" + u.hostPort()
	case "blob":
		if inner, ok := parseURL(u.pathname(), nil); ok && (inner.scheme == "http" || inner.scheme == "https") {
			return inner.origin()
		}
	}
	return "null"
}

// parts are what the URL class of url.js reads, in its order.
func (u *webURL) parts() string {
	lead := func(mark string, s *string) string {
		if s == nil || *s == "" {
			return ""
		}
		return mark + *s
	}
	hostname, port := "", ""
	if u.host != nil {
		hostname = *u.host
	}
	if u.port >= 0 {
		port = strconv.Itoa(u.port)
	}
	return strings.Join([]string{
		u.href(), u.origin(), u.scheme + ":", u.username, u.password, u.hostPort(), hostname, port,
		u.pathname(), lead("?", u.query), lead("#", u.fragment),
	}, "\n") // no part can hold a line break
}

// urlOps serve the URL class.
func urlOps(o *ops) {
	o.sync("url.parse", func(_ *vm, a args) (any, error) {
		var base *webURL
		if len(a) > 1 {
			b, ok := parseURL(a.text(1), nil)
			if !ok {
				return nil, invalidURL(a.text(0))
			}
			base = b
		}
		u, ok := parseURL(a.text(0), base)
		if !ok {
			return nil, invalidURL(a.text(0))
		}
		return u.parts(), nil
	})
	o.sync("url.set", func(_ *vm, a args) (any, error) {
		u, ok := parseURL(a.text(0), nil)
		if !ok {
			return nil, invalidURL(a.text(0))
		}
		u.set(a.text(1), a.text(2))
		return u.parts(), nil
	})
	o.sync("url.unicode", func(_ *vm, a args) (any, error) { return toUnicode(a.text(0)), nil })
	o.sync("url.ascii", func(_ *vm, a args) (any, error) {
		host, ok := parseHost(a.text(0), false)
		if !ok {
			return "", nil
		}
		return host, nil
	})
}

func invalidURL(text string) error {
	return &hostError{Name: "TypeError", Message: "Invalid URL: " + clip(text, 200), Code: "ERR_INVALID_URL"}
}

// set changes one part the way the setters of the URL class do; a value that
// does not fit leaves the URL as it is.
func (u *webURL) set(part, value string) {
	switch part {
	case "protocol":
		override(value+":", u, stateSchemeStart)
	case "username":
		if !u.cannotHaveCredentials() {
			u.username = percentEncode(value, inUserinfo)
		}
	case "password":
		if !u.cannotHaveCredentials() {
			u.password = percentEncode(value, inUserinfo)
		}
	case "host", "hostname":
		if u.opaque == nil {
			state := stateHost
			if part == "hostname" {
				state = stateHostname
			}
			override(value, u, state)
		}
	case "port":
		if u.cannotHaveCredentials() {
			return
		}
		if value == "" {
			u.port = -1
			return
		}
		override(value, u, statePort)
	case "pathname":
		if u.opaque == nil {
			u.path = nil
			override(value, u, statePathStart)
		}
	case "search":
		u.setSearch(strings.TrimPrefix(value, "?"))
	case "hash":
		value = strings.TrimPrefix(value, "#")
		u.fragment = nil
		if value != "" {
			u.fragment = new(string)
			override(value, u, stateFragment)
		}
	}
}

func (u *webURL) setSearch(value string) {
	u.query = nil
	if value != "" {
		u.query = new(string)
		override(value, u, stateQuery)
	}
}

// clip cuts a text for an error on a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

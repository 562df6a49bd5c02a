package logs

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Redacted stands where a secret was.
const Redacted = "[redacted]"

// minSecret is the shortest value that is searched for: a shorter one would
// match inside ordinary words.
const minSecret = 4

// secretNames are the ends of key names whose text is never shown. They are
// compared in lower case without dashes and underscores.
var secretNames = []string{
	"authorization", "cookie", "password", "passwd", "passphrase", "secret", "token",
	"apikey", "privatekey", "accesskey", "secretkey", "credential", "credentials",
}

// shapes are secrets that can be known by their form alone.
var shapes = []struct {
	re *regexp.Regexp
	to string
}{
	{regexp.MustCompile(`(?i)\b(authorization["']?[:=]\s*["']?)(bearer|basic)\s+[^\s"']+`), "$1$2 " + Redacted},
	{regexp.MustCompile(`(?i)\b(bearer)\s+[a-z._~+/=-]*[0-9][a-z0-9._~+/=-]*`), "$1 " + Redacted},
	{regexp.MustCompile(`://[^/\s:@]*:[^/\s@]+@`), "://" + Redacted + "@"},
	{regexp.MustCompile(`(?i)\b(set-)?cookie:\s*[^\r\n]+`), "${1}cookie: " + Redacted},
}

// A Redactor takes secrets out of texts: configured values, values under telling
// names, and what has the form of one. It is safe for concurrent use.
type Redactor struct {
	mu      sync.RWMutex
	secrets []string // longest first, so that no secret is cut by one that it contains
}

// NewRedactor gives a redactor that knows these values.
func NewRedactor(secrets ...string) *Redactor {
	r := &Redactor{}
	r.Add(secrets...)
	return r
}

// Add makes values known. Those under four bytes are left out: they would match
// inside ordinary words.
func (r *Redactor) Add(secrets ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range secrets {
		if s = strings.TrimSpace(s); len(s) >= minSecret && !slices.Contains(r.secrets, s) {
			r.secrets = append(r.secrets, s)
		}
	}
	slices.SortFunc(r.secrets, func(a, b string) int { return len(b) - len(a) })
}

// Text gives s without the secrets in it.
func (r *Redactor) Text(s string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, secret := range r.secrets {
		s = strings.ReplaceAll(s, secret, Redacted)
	}
	for _, shape := range shapes {
		s = shape.re.ReplaceAllString(s, shape.to)
	}
	return s
}

// Value gives what stands under a key without secrets, at any depth.
func (r *Redactor) Value(key string, v any) any {
	secret := IsSecretName(key)
	switch v := v.(type) {
	case string:
		if secret && v != "" {
			return Redacted
		}
		return r.Text(v)
	case []any:
		for i := range v {
			v[i] = r.Value(key, v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = r.Value(k, v[k])
		}
	}
	return v
}

// IsSecretName says whether a key's name tells that its value is a secret.
func IsSecretName(name string) bool {
	name = strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "", " ", "").Replace(name))
	return slices.ContainsFunc(secretNames, func(end string) bool { return strings.HasSuffix(name, end) })
}

// SecretsOf gives the values of an environment ("NAME=value") whose names tell
// that they are secrets.
func SecretsOf(environ []string) []string {
	var secrets []string
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		if IsSecretName(name) || strings.HasSuffix(name, "_KEY") {
			secrets = append(secrets, value)
		}
	}
	return secrets
}

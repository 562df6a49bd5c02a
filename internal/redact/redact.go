// Package redact takes secrets out of texts: configured values, values under telling
// names, and what has the form of a secret.
package redact

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Redacted stands where a secret was.
const Redacted = "[redacted]"

// minSecret is the shortest value that is searched for, and wordSecret the shortest
// that is searched for inside words, too: shorter ones are words themselves.
const (
	minSecret  = 4
	wordSecret = 8
)

// secretNames are the ends of key names whose text is never shown. They are
// compared in lower case without dashes and underscores.
var secretNames = []string{
	"authorization", "cookie", "password", "passwd", "passphrase", "secret", "token",
	"apikey", "privatekey", "accesskey", "secretkey", "credential", "credentials",
}

// shapes are secrets that can be known by their form alone.
var shapes = []shape{
	wordShape(nil, `(?i)(?P<name>authorization["']?[:=]\s*["']?)(?P<kind>bearer|basic)\s+[^\s"']+`, "${name}${kind} "+Redacted),
	wordShape(nil, `(?i)(?P<kind>bearer)\s+[a-z._~+/=-]*[0-9][a-z0-9._~+/=-]*`, "${kind} "+Redacted),
	{hints: []string{"://"}, re: regexp.MustCompile(`://[^/\s:@]*:[^/\s@]+@`), to: "://" + Redacted + "@"},
	{hints: []string{"?", "&"}, re: regexp.MustCompile(`(?i)([?&](?:[a-z0-9_.-]*(?:token|secret|passw(?:or)?d|api[_-]?key|access[_-]?key|signature|credential)|key|sig|pwd)=)[^&#\s"'<>]+`), to: "$1" + Redacted},
	wordShape(nil, `(?i)(?P<set>set-)?cookie:\s*[^\r\n]+`, "${set}cookie: "+Redacted),
	{hints: []string{"PRIVATE KEY-----"}, re: regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`), to: Redacted},
	wordShape([]string{"sk-", "sk_", "rk_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox", "xapp-", "npm_", "hf_"}, keys, Redacted),
	wordShape([]string{"AKIA", "ASIA", "AIza", "eyJ"}, `(?:A[KS]IA[A-Z0-9]{16}\b|AIza[A-Za-z0-9_-]{35}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)`, Redacted),
}

// keys are the forms of keys and tokens that services give out with a prefix.
const keys = `(?:[sr]k[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|` +
	`glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}|(?:npm|hf)_[A-Za-z0-9]{20,})`

// escape is a character as JSON and programs write it, whose last letter is no part of
// the word behind it.
const escape = `\\(?:[bfnrt]|u[0-9A-Fa-f]{4})`

// A shape is the form of a secret. Without one of its hints in a text it is not there;
// nil hints: it may always be. escaped is re behind an escape; nil: re needs none.
type shape struct {
	hints       []string
	re, escaped *regexp.Regexp
	to          string
}

// wordShape is a form that begins where a word does.
func wordShape(hints []string, form, to string) shape {
	return shape{hints, regexp.MustCompile(`\b` + form), regexp.MustCompile(`(?P<escape>` + escape + `)` + form), to}
}

func (h *shape) redact(s string) string {
	if h.hints != nil && !slices.ContainsFunc(h.hints, func(hint string) bool { return strings.Contains(s, hint) }) {
		return s
	}
	s = h.re.ReplaceAllString(s, h.to)
	if h.escaped == nil || strings.IndexByte(s, '\\') < 0 {
		return s
	}
	return h.escaped.ReplaceAllString(s, "${escape}"+h.to)
}

// A Redactor takes secrets out of texts: configured values, values under telling
// names, and what has the form of one. It is safe for concurrent use.
type Redactor struct {
	mu      sync.RWMutex
	secrets []string // longest first, so that no secret is cut by one that it contains
}

// New gives a Redactor that knows these values.
func New(secrets ...string) *Redactor {
	r := &Redactor{}
	r.Add(secrets...)
	return r
}

// Add makes values known. Those under eight bytes are taken out where they stand as a
// word, and those under four nowhere: they would match inside ordinary words.
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
		if len(secret) < wordSecret {
			s = replaceWord(s, secret)
			continue
		}
		s = strings.ReplaceAll(s, secret, Redacted)
	}
	for i := range shapes {
		s = shapes[i].redact(s)
	}
	return s
}

// replaceWord takes a word out where no letter, digit, - or _ stands beside it.
func replaceWord(s, word string) string {
	if !strings.Contains(s, word) {
		return s
	}
	var b strings.Builder
	for rest := s; ; {
		i := strings.Index(rest, word)
		if i < 0 {
			b.WriteString(rest)
			return b.String()
		}
		ahead := s[:len(s)-len(rest)+i]
		before, _ := utf8.DecodeLastRuneInString(ahead)
		after, _ := utf8.DecodeRuneInString(rest[i+len(word):])
		if inWord(before) && !escapeAtEnd.MatchString(ahead[max(0, len(ahead)-6):]) || inWord(after) {
			_, n := utf8.DecodeRuneInString(rest[i:])
			b.WriteString(rest[:i+n])
			rest = rest[i+n:]
			continue
		}
		b.WriteString(rest[:i] + Redacted)
		rest = rest[i+len(word):]
	}
}

var escapeAtEnd = regexp.MustCompile(escape + `$`)

// inWord says whether a character is part of words. The end of a text is none.
func inWord(r rune) bool {
	return r != utf8.RuneError && (r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r))
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

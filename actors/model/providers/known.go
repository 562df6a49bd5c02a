package providers

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/gobdk/bdk/actors/model/openai"
)

// offline is how every sentence about a missing setting ends.
const offline = "or use --model scripted, which needs no key"

// A known provider speaks Chat Completions.
type known struct {
	name string
	// key is the variable with its key; empty: it needs none.
	key string
	// base is its address, baseKey the variable that replaces it.
	base, baseKey string
	// first is the model of a project that names none, when the key is set.
	first string
	// prefixes of bare names; "o#" is an o with a digit.
	prefixes []string
}

var knowns = []known{
	{name: "openai", key: "OPENAI_API_KEY", base: openai.DefaultBaseURL, baseKey: "OPENAI_BASE_URL", first: "gpt-5", prefixes: []string{"gpt-", "chatgpt-", "o#"}},
	{name: "xai", key: "XAI_API_KEY", base: "https://api.x.ai/v1", baseKey: "XAI_BASE_URL", first: "grok-4", prefixes: []string{"grok-"}},
	{name: "openrouter", key: "OPENROUTER_API_KEY", base: "https://openrouter.ai/api/v1", baseKey: "OPENROUTER_BASE_URL", first: "openai/gpt-5"},
	{name: "ollama", base: "http://127.0.0.1:11434/v1", baseKey: "OLLAMA_BASE_URL"},
}

// later are providers that have a protocol of their own, which this build lacks.
var later = map[string]string{"anthropic": "claude-", "google": "gemini-"}

func find(name string) *known {
	for i := range knowns {
		if knowns[i].name == name {
			return &knowns[i]
		}
	}
	return nil
}

// first is the id for a project that asks for none.
func (r *Resolver) first() string {
	for _, k := range knowns {
		if k.key != "" && r.setting(k.key) != "" {
			return k.name + "/" + k.first
		}
	}
	return scriptedName
}

// split finds the provider of an id: written in front, or known from the prefix.
func split(id string) (provider, name string, err error) {
	if provider, name, ok := strings.Cut(id, "/"); ok {
		if provider == "" || name == "" {
			return "", "", fmt.Errorf("model %q is not provider/name", id)
		}
		return strings.ToLower(provider), name, nil
	}
	for _, k := range knowns {
		for _, p := range k.prefixes {
			if hasPrefix(id, p) {
				return k.name, id, nil
			}
		}
	}
	for name, prefix := range later {
		if strings.HasPrefix(id, prefix) {
			return name, id, nil
		}
	}
	return "", "", fmt.Errorf("model %q is of no known provider; write it as provider/name, such as openai/%s, %s", id, id, offline)
}

func hasPrefix(id, prefix string) bool {
	if prefix == "o#" {
		return len(id) > 1 && id[0] == 'o' && id[1] >= '0' && id[1] <= '9'
	}
	return strings.HasPrefix(id, prefix)
}

// An endpoint is where and with which key.
type endpoint struct{ provider, url, key string }

// endpoint reads a provider's settings. BDK_PROVIDER_<NAME>_URL makes one of any
// name, also of one that this build knows.
func (r *Resolver) endpoint(provider string) (endpoint, error) {
	own := "BDK_PROVIDER_" + variable(provider)
	if address := r.setting(own + "_URL"); address != "" {
		return endpoint{provider, address, r.setting(own + "_KEY")}, checkURL(own+"_URL", address)
	}
	k := find(provider)
	if _, ok := later[provider]; ok {
		return endpoint{}, fmt.Errorf("provider %s is not in this build; set %s_URL to a server for it that speaks Chat Completions, name one of %s, %s", provider, own, names(), offline)
	}
	if k == nil {
		return endpoint{}, fmt.Errorf("provider %q is not known; set %s_URL to its address, name one of %s, %s", provider, own, names(), offline)
	}
	if mode := r.setting("BDK_OPENAI_API"); k.name == "openai" && mode != "" && mode != "chat" {
		return endpoint{}, fmt.Errorf("BDK_OPENAI_API is %q; this build speaks chat alone", mode)
	}
	e := endpoint{provider: provider, url: k.base}
	if address := r.setting(k.baseKey); address != "" {
		if err := checkURL(k.baseKey, address); err != nil {
			return endpoint{}, err
		}
		e.url = address
	}
	if k.key == "" {
		return e, nil
	}
	if e.key = r.setting(k.key); e.key == "" {
		return endpoint{}, fmt.Errorf("%s is not set, and provider %s needs it; set it, %s", k.key, provider, offline)
	}
	return e, nil
}

// variable is a provider's name as part of a variable's.
func variable(provider string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return unicode.ToUpper(r)
		}
		return '_'
	}, provider)
}

func names() string {
	list := make([]string, len(knowns))
	for i, k := range knowns {
		list[i] = k.name
	}
	return strings.Join(list, ", ")
}

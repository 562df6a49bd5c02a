package agent

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// MinSecret is how many characters a secret of a policy should have. A shorter one
// can be guessed: it is warned about, and refused where others than this machine
// reach the host.
const MinSecret = 16

var headerName = regexp.MustCompile(`^[A-Za-z0-9!#$%&'*+.^_|~-]+$`)

// Check says what is wrong with a policy, nil when it can be used. It opens nothing.
func (p *AuthPolicy) Check() error {
	if p == nil {
		return errors.New("a policy is nil")
	}
	switch p.Kind {
	case AuthLocalDevStrict, AuthAllowAll:
		return nil
	case AuthBearer:
		return p.check("bearerAuth", "token", p.checkKeyed)
	case AuthAPIKey:
		return p.check("apiKeyHeader", "key", p.checkKeyed)
	case AuthBasic:
		return p.check("basicAuth", "user", checkUser)
	case AuthJWT:
		if p.JWT == nil {
			return errors.New("jwtAuth has no rules: give it an issuer, an audience, and keys or a JWKS URL")
		}
		return p.JWT.check()
	case AuthFunction:
		if p.Judge == nil {
			return errors.New("a policy that is a function has none")
		}
		return nil
	}
	return fmt.Errorf("the policy %q is unknown", p.Kind)
}

// check holds the secrets of a policy against a rule for each.
func (p *AuthPolicy) check(name, what string, rule func(key, value string) error) error {
	if p.Kind == AuthAPIKey {
		switch {
		case !headerName.MatchString(p.Header):
			return fmt.Errorf("%s: %q is no name of a header", name, p.Header)
		case strings.EqualFold(p.Header, "Host"):
			return fmt.Errorf("%s: the Host header cannot have the key", name)
		}
	}
	if len(p.Secrets) == 0 {
		return fmt.Errorf("%s has no %s, so it would admit nobody: give it one, or leave it out", name, what)
	}
	for key, value := range p.Secrets {
		if err := rule(key, value); err != nil {
			return fmt.Errorf("%s: %w", name, err) // never with the secret
		}
	}
	return nil
}

// checkKeyed takes a secret that stands in a header, and the id that it is for.
func (p *AuthPolicy) checkKeyed(secret, id string) error {
	switch {
	case secret == "":
		return errors.New("a secret is empty, as when a variable is not set")
	case strings.TrimSpace(secret) != secret || strings.ContainsFunc(secret, unprintable):
		return fmt.Errorf("the secret of %q begins or ends with a space, or has characters that no header can have", id)
	case id == "":
		return errors.New("a secret has no principal: give it an id")
	}
	return nil
}

func unprintable(r rune) bool { return r < ' ' || r > '~' }

func checkUser(user, password string) error {
	switch {
	case user == "" || strings.ContainsRune(user, ':') || strings.ContainsFunc(user, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return fmt.Errorf("%q is no user: a name without a colon or control characters", user)
	case password == "":
		return fmt.Errorf("the password of %q is empty, as when a variable is not set", user)
	}
	return nil
}

// Secret gives the secrets of a policy, for whoever has to keep them out of logs.
func (p *AuthPolicy) Secret() []string {
	var list []string
	for key, value := range p.Secrets {
		if p.Kind == AuthBasic {
			key = value
		}
		list = append(list, key)
	}
	if p.JWT != nil {
		_, shared, _ := p.JWT.ParseKeys()
		for _, secret := range shared {
			list = append(list, string(secret))
		}
	}
	return list
}

// Short counts the secrets of a policy that have fewer than MinSecret characters.
func (p *AuthPolicy) Short() int {
	n := 0
	for _, secret := range p.Secret() {
		if len(secret) < MinSecret {
			n++
		}
	}
	return n
}

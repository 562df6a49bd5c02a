package project

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
)

const jwtForm = "jwtAuth({jwksUrl, issuer, audience}), or with keys: [...] in the place of jwksUrl"

// jwtOptions are the options of jwtAuth.
var jwtOptions = []string{"jwksUrl", "keys", "issuer", "audience", "claim"}

// readJWT reads ({jwksUrl | keys, issuer, audience, claim?}).
func readJWT(args []json.RawMessage) (agent.AuthPolicy, *policyFault) {
	var o map[string]json.RawMessage
	if len(args) != 1 || json.Unmarshal(args[0], &o) != nil || o == nil {
		return agent.AuthPolicy{}, wrongPolicy("jwtAuth has no options", "write "+jwtForm)
	}
	for name := range o {
		if !slices.Contains(jwtOptions, name) {
			return agent.AuthPolicy{}, wrongPolicy("jwtAuth has no option "+quote(name), "write "+jwtForm)
		}
	}
	rules := agent.JWTRules{}
	for _, field := range []struct {
		name     string
		to       *string
		required bool
	}{{"issuer", &rules.Issuer, true}, {"audience", &rules.Audience, true}, {"claim", &rules.Claim, false}, {"jwksUrl", &rules.JWKSURL, false}} {
		text, there, ok := textOf(o[field.name])
		if !ok || there && strings.TrimSpace(text) == "" || !there && (field.required || o[field.name] != nil) {
			return agent.AuthPolicy{}, wrongPolicy(field.name+" of jwtAuth is no text with something in it", "write "+jwtForm)
		}
		*field.to = text
	}
	keys, fault := jwtKeys(o["keys"])
	rules.Keys = keys
	return agent.JWTAuth(rules), fault
}

// jwtKeys reads PEM keys, or shared secrets.
func jwtKeys(raw json.RawMessage) ([]string, *policyFault) {
	if len(raw) == 0 {
		return nil, nil
	}
	var list []*string
	if json.Unmarshal(raw, &list) != nil || list == nil {
		return nil, wrongPolicy("keys of jwtAuth are no list of texts", "write keys: [publicKeyAsPEM], or the shared secret of HS256")
	}
	keys := make([]string, len(list))
	for i, key := range list {
		if key == nil {
			return nil, secretFault("a key of jwtAuth", "", false)
		}
		if keys[i] = *key; !strings.Contains(*key, "-----BEGIN ") {
			if fault := secretFault("a key of jwtAuth", *key, true); fault != nil {
				return nil, fault
			}
		}
	}
	return keys, nil
}

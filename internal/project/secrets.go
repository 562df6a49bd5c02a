package project

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/memory"
)

// Forms of the policies with secrets.
const (
	bearerForm = "bearerAuth(token), or bearerAuth({token: principalId})"
	basicForm  = "basicAuth(user, password), or basicAuth({user: password})"
	apiKeyForm = "apiKeyHeader({header, keys: {key: principalId}})"
)

// secretFix is for a secret that is not there, most often since its variable is not.
const secretFix = "set the variable that it is read from, in the environment or in .env; or leave the policy out where it is not set: ...(token ? [bearerAuth(token)] : [])"

// secretsOf gives the values of variables whose names tell that they are secrets, sorted.
func secretsOf(variables map[string]string) (list []string) {
	for name, value := range variables {
		list = append(list, memory.SecretsOf([]string{name + "=" + value})...)
	}
	slices.Sort(list)
	return list
}

// secretFault says what is wrong with a secret, without a letter of it.
func secretFault(what, secret string, there bool) *policyFault {
	why := ""
	switch {
	case !there:
		why = " is undefined"
	case strings.TrimSpace(secret) == "":
		why = " is empty"
	case secret == "undefined" || secret == "null":
		why = " is the text " + quote(secret) + ", which is what an unset variable becomes"
	default:
		return nil
	}
	return &policyFault{ruleAuthSecret, what + why, secretFix}
}

// text reads a string; there is false for undefined and null, and ok for another kind.
func textOf(raw json.RawMessage) (s string, there, ok bool) {
	if len(raw) == 0 || isNull(raw) {
		return "", false, true
	}
	err := json.Unmarshal(raw, &s)
	return s, true, err == nil
}

// argument gives one of a policy's arguments, nil for none.
func argument(args []json.RawMessage, i int) json.RawMessage {
	if i < len(args) {
		return args[i]
	}
	return nil
}

// idsBySecret reads {secret: id}, or one secret, or a list of them, which stand for usual.
func idsBySecret(raw json.RawMessage, what, usual, form string) (map[string]string, *policyFault) {
	secret, there, ok := textOf(raw)
	if ok {
		return map[string]string{secret: usual}, secretFault(what, secret, there)
	}
	ids := map[string]string{}
	var list []*string
	if json.Unmarshal(raw, &list) == nil {
		for _, s := range list {
			if s == nil {
				return nil, secretFault(what, "", false)
			}
			ids[*s] = usual
		}
	} else if json.Unmarshal(raw, &ids) != nil {
		return nil, wrongPolicy(what+" is "+kindOf(raw), "write "+form)
	}
	if len(ids) == 0 {
		return nil, wrongPolicy("there is no "+strings.TrimPrefix(what, "the "), "write "+form)
	}
	for _, secret := range slices.Sorted(maps.Keys(ids)) {
		if fault := secretFault(what, secret, true); fault != nil {
			return nil, fault
		}
	}
	return ids, nil
}

// kindOf says what a value is without showing it.
func kindOf(raw json.RawMessage) string {
	switch raw[0] {
	case '{':
		return "an object of another form"
	case '[':
		return "a list with something else than texts in it"
	}
	return "neither a text nor an object"
}

func readBearer(args []json.RawMessage) (agent.AuthPolicy, *policyFault) {
	if fault := takes(args, 1, bearerForm); fault != nil {
		return agent.AuthPolicy{}, fault
	}
	ids, fault := idsBySecret(argument(args, 0), "the token of bearerAuth", "bearer", bearerForm)
	return agent.BearerTokens(ids), fault
}

// readBasic reads (user, password), {user: password} or {users: {user: password}}.
func readBasic(args []json.RawMessage) (agent.AuthPolicy, *policyFault) {
	passwords := map[string]json.RawMessage{}
	if user, there, ok := textOf(argument(args, 0)); ok && len(args) == 2 {
		if user == "undefined" || !there {
			return agent.AuthPolicy{}, wrongPolicy("the user of basicAuth is undefined", "write "+basicForm)
		}
		passwords[user] = args[1]
	} else if len(args) != 1 || json.Unmarshal(usersOf(args[0]), &passwords) != nil {
		return agent.AuthPolicy{}, wrongPolicy("basicAuth has other arguments than a user and a password", "write "+basicForm)
	}
	known := map[string]string{}
	for _, user := range slices.Sorted(maps.Keys(passwords)) {
		password, there, ok := textOf(passwords[user])
		what := "the password of " + quote(user) + " in basicAuth"
		if !ok {
			return agent.AuthPolicy{}, wrongPolicy(what+" is no text", "write "+basicForm)
		}
		if fault := secretFault(what, password, there); fault != nil {
			return agent.AuthPolicy{}, fault
		}
		known[user] = password
	}
	return agent.BasicAuth(known), nil
}

func usersOf(raw json.RawMessage) json.RawMessage {
	var o map[string]json.RawMessage
	if json.Unmarshal(raw, &o) == nil && len(o) == 1 && len(o["users"]) > 0 && o["users"][0] == '{' {
		return o["users"]
	}
	return raw
}

// readAPIKey reads ({header, keys}) or (header, keys); keys as idsBySecret does.
func readAPIKey(args []json.RawMessage) (agent.AuthPolicy, *policyFault) {
	header, _, ok := textOf(argument(args, 0))
	keys := argument(args, 1)
	if !ok {
		var o map[string]json.RawMessage
		_ = json.Unmarshal(args[0], &o) // what is no object has no header
		header, _, _ = textOf(o["header"])
		keys = o["keys"]
		delete(o, "header")
		delete(o, "keys")
		if len(o) > 0 || len(args) > 1 {
			return agent.AuthPolicy{}, wrongPolicy("apiKeyHeader has more than header and keys", "write "+apiKeyForm)
		}
	}
	if len(args) > 2 {
		return agent.AuthPolicy{}, wrongPolicy("apiKeyHeader has more than header and keys", "write "+apiKeyForm)
	}
	if header == "" {
		return agent.AuthPolicy{}, wrongPolicy("apiKeyHeader names no header", "write "+apiKeyForm)
	}
	ids, fault := idsBySecret(keys, "a key of apiKeyHeader", "apiKey", apiKeyForm)
	return agent.APIKeyHeader(header, ids), fault
}

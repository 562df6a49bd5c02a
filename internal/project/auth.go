package project

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/script"
)

// auth reads the policies of a definition; nil where it has none of its own. What is
// wrong with a policy is reported, and that one admits nobody.
func (l *loader) auth(s *spec, module string) []agent.AuthPolicy {
	raw, ok := s.fields["auth"]
	if !ok {
		return nil
	}
	policies := []agent.AuthPolicy{}
	if raw[0] != '[' {
		l.report.add(s.rule, s.at("auth"), "auth is no array", "make it an array of policies, such as [localDevStrict()]") // what it is may be a secret
		return policies
	}
	list, err := l.runtime.Policies(context.Background(), module)
	if err != nil {
		l.report.add(ruleAuthPolicy, s.at("auth"), "auth cannot be read: "+err.Error(), "make it an array of policies")
		return policies
	}
	if len(list) == 0 {
		l.report.add(ruleAuthEmpty, s.at("auth"), "auth is empty, so nobody is admitted", "name who may call, such as [localDevStrict()], or leave auth out")
	}
	for i, p := range list {
		made, fault := l.policy(p, module, i)
		if fault != nil {
			l.report.add(fault.rule, s.at("auth"), fmt.Sprintf("auth[%d] admits nobody: %s", i, fault.message), fault.fix)
			continue
		}
		if made.Short() > 0 {
			l.report.add(ruleAuthShort, s.at("auth"), fmt.Sprintf("auth[%d] has a secret of fewer than %d characters, which can be guessed", i, agent.MinSecret),
				"take a longer one: where others than this machine reach the host it admits nobody")
		}
		policies = append(policies, made)
	}
	return policies
}

// A policyFault is what is wrong with a policy. It has no secret in it.
type policyFault struct{ rule, message, fix string }

// policy makes one policy of what its author wrote.
func (l *loader) policy(p script.Policy, module string, index int) (agent.AuthPolicy, *policyFault) {
	if p.Kind == agent.AuthFunction {
		runtime := l.runtime
		return agent.AuthFunc(func(ctx context.Context, r *agent.Request) (*events.Principal, error) {
			return runtime.Judge(ctx, module, index, r)
		}), nil
	}
	read, ok := policyReaders[p.Kind]
	if !ok {
		return agent.AuthPolicy{}, &policyFault{ruleAuthPolicy, "it is no policy",
			`write bearerAuth(...), jwtAuth(...), basicAuth(...), apiKeyHeader(...), localDevStrict(), allowAll() of "@cursor/bdk/channels", or a function (request) => principal | null`}
	}
	made, fault := read(p.Args)
	if fault != nil {
		return made, fault
	}
	if err := made.Check(); err != nil {
		return made, wrongPolicy(err.Error(), "write "+policyForms[p.Kind])
	}
	return made, nil
}

// policyForms say how policies are written.
var policyForms = map[string]string{
	agent.AuthBearer: bearerForm, agent.AuthBasic: basicForm, agent.AuthAPIKey: apiKeyForm, agent.AuthJWT: jwtForm,
}

var policyReaders = map[string]func(args []json.RawMessage) (agent.AuthPolicy, *policyFault){
	agent.AuthLocalDevStrict: func(args []json.RawMessage) (agent.AuthPolicy, *policyFault) {
		return agent.LocalDevStrict(), takes(args, 0, "localDevStrict()")
	},
	agent.AuthAllowAll: func(args []json.RawMessage) (agent.AuthPolicy, *policyFault) {
		return agent.AllowAll(), takes(args, 0, "allowAll()")
	},
	agent.AuthBearer: readBearer,
	agent.AuthBasic:  readBasic,
	agent.AuthAPIKey: readAPIKey,
	agent.AuthJWT:    readJWT,
}

// takes refuses arguments that a policy has no use for.
func takes(args []json.RawMessage, most int, form string) *policyFault {
	if len(args) <= most {
		return nil
	}
	return wrongPolicy("it has more arguments than "+form, "write "+form)
}

func wrongPolicy(message, fix string) *policyFault {
	return &policyFault{ruleAuthPolicy, message, fix}
}

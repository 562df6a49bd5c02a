package cli

import (
	"fmt"

	"github.com/gobdk/bdk/actors/agent"
)

// refuseShort refuses to serve to others what a guess would open.
func refuseShort(agents []*agent.Agent, host string) error {
	for _, ag := range agents {
		if err := shortIn(ag.Auth, "the auth of "+ag.Slug, host); err != nil {
			return err
		}
		for _, ch := range ag.Channels {
			if err := shortIn(ch.Auth, fmt.Sprintf("the auth of channel %s of %s", ch.ID, ag.Slug), host); err != nil {
				return err
			}
		}
	}
	return nil
}

func shortIn(list []agent.AuthPolicy, whose, host string) error {
	for i := range list {
		if list[i].Short() > 0 {
			return cannotStart("%s has a secret of fewer than %d characters and %s can be reached by others: take a longer one, or --host 127.0.0.1", whose, agent.MinSecret, host)
		}
	}
	return nil
}

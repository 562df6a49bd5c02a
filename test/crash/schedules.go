//go:build failpoints

package crash

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/clock"
)

// lateFile, in the state root, lets the child begin a second and a half before a full
// minute, at which its schedules fire.
const lateFile = "late"

// A shiftedClock is ahead of the machine's.
type shiftedClock struct {
	clock.System
	ahead time.Duration
}

// Now is clock.Clock's.
func (c shiftedClock) Now() time.Time { return c.System.Now().Add(c.ahead) }

// schedules gives the agent some, where they are asked for, and the clock that fires them;
// and a tool that sets a reminder.
func schedules(dir string, bot *agent.Agent) (clock.Clock, error) {
	remind, err := agent.NewTool("remind", "Reminds in a second.", func(ctx context.Context, _ args, c *agent.Call) (string, error) {
		return c.Reminders.Set(ctx, agent.Reminder{In: time.Second, Message: "hello again"})
	}, nil)
	if err != nil {
		return nil, err
	}
	bot.Tools = append(bot.Tools, remind)
	mode, err := os.ReadFile(filepath.Join(dir, lateFile))
	if err != nil {
		return clock.System{}, nil
	}
	bot.Schedules = []*agent.Schedule{{ID: "each", Cron: "* * * * *", CatchUp: true}}
	if string(mode) == "run" {
		bot.Schedules[0].Run = func(_ context.Context, c *agent.Call) error {
			return leave(filepath.Join(dir, "effects.runs"), c.Firing.ScheduledAt)
		}
	} else {
		bot.Schedules[0].Markdown = "hello from the clock"
	}
	now := time.Now()
	return shiftedClock{ahead: now.Truncate(time.Minute).Add(time.Minute - 1500*time.Millisecond).Sub(now)}, nil
}

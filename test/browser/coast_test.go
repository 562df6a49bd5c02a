package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/events"
)

// A coast is a host with something of every kind on each of its surfaces: the agent keeper,
// the yard that it asks, and an attic in which nothing ever happened.
type coast struct {
	*host
	// Sessions of the keeper: with an item of every kind, with a title and a long answer,
	// in a dry run, waiting for a person, broken by its model, and with words that are long.
	every, survey, dry, parked, broken, long string
	// run is one of evals; made are the artifacts by their titles.
	run  string
	made map[string]string
}

// titles are what people, and models, call their sessions.
var titles = []string{
	"The lamp of the northern tower", "Ветер у маяка, и почему его не слышно с берега в ночь на воскресенье", "الرياح عند المنارة الشمالية",
	"🌊🗼 storm watch ⛈️", "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft", "霧の夜に灯台が見えない理由",
	"What the tide did on the third of the month, told by those who stood on the bar, with all the numbers that they wrote down", "x",
}

// newCoast serves the agents, and works with them once over HTTP.
func newCoast(t *testing.T) *coast {
	t.Helper()
	c := &coast{host: prepare(t, "testdata/coast"), made: map[string]string{}}
	c.up()
	quick := c.talk("hello")
	c.every = c.talk("what is it like out there?")
	c.survey = c.talk("survey north")
	c.broken = c.fails("break")
	old := weeks(c.turn(quick), c.turn(c.every))
	c.kill()
	c.remember(old...)
	c.up()
	c.long = c.talk("long " + titles[4])
	c.dry = c.ask("POST", "/v1/session", map[string]any{"message": "trim the north lamp", "dryRun": true, "title": "A dry run"})["sessionId"].(string)
	c.turn(c.dry)
	c.talk("report 2026-07")
	c.talk("remind me of the lamp")
	c.talk("remind me of the horn")
	c.fails("break again")
	c.talk("what is it like out there now?")
	c.parked = c.talk("trim the north lamp")
	for _, id := range []string{"morning", "sweep"} {
		c.ask("POST", "/v1/dev/schedules/"+id, map[string]any{})
	}
	c.evals()
	for _, a := range c.ask("GET", "/v1/artifacts", nil)["artifacts"].([]any) {
		one := a.(map[string]any)
		c.made[one["title"].(string)] = one["id"].(string)
	}
	return c
}

// up starts the host; the address of the agents is the keeper's.
func (c *coast) up() {
	c.t.Helper()
	c.start()
	c.url = c.origin + "/keeper"
}

// attic is the address of a view of the agent that has nothing.
func (c *coast) attic(view string) string { return c.origin + "/attic/playground#/" + view }

// fails starts a session whose turn does not end well.
func (c *coast) fails(message string) string {
	c.t.Helper()
	id := c.ask("POST", "/v1/session", map[string]any{"message": message})["sessionId"].(string)
	c.read(id, func(line string) bool { return strings.Contains(line, `"type":"turn.failed"`) })
	return id
}

// weeks are sessions of two weeks, of several models and titles of all kinds.
func weeks(quick, every []events.Event) []past {
	var all []past
	models := []string{"openai/gpt-5", "anthropic/claude-opus-4-5", "openai/gpt-5-nano", "house/unpriced-model-with-a-long-name"}
	for n := range 40 {
		p := past{like: quick, ago: time.Duration(n*n/5)*time.Hour + 30*time.Minute, title: title(n), model: models[n%len(models)], tokens: int64(1000 + n*n*311)}
		if n%9 == 0 {
			p.like = every
		}
		if n%len(models) != 3 {
			p.usd = float64(n*n) * 0.0013
		}
		all = append(all, p)
	}
	return all
}

func title(n int) string {
	if n < len(titles) {
		return titles[n]
	}
	if n%3 == 0 {
		return "" // what was said stands for it
	}
	return fmt.Sprintf("%s, %d", titles[n%len(titles)], n)
}

// evals runs them twice, so that one run has another before it.
func (c *coast) evals() {
	c.t.Helper()
	for range 2 {
		c.run = c.ask("POST", "/v1/dev/evals/runs", map[string]any{"verbose": true})["run"].(map[string]any)["runId"].(string)
		for deadline := time.Now().Add(limit); c.ask("GET", "/v1/dev/evals/runs/"+c.run, nil)["run"].(map[string]any)["status"] == "running"; {
			if time.Now().After(deadline) {
				c.t.Fatal("the evals do not end")
			}
			<-time.After(20 * time.Millisecond)
		}
	}
}

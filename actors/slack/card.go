package slack

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/gobdk/bdk/actors/surface"
	"github.com/gobdk/bdk/events"
)

// A card shows a call that waits for a person: all of what it will be given, or no
// button that approves it.
type card struct {
	title string
	// args are pieces of the arguments, each short enough for a block.
	args   []string
	hidden bool
	value  string
}

// Bounds of a card. Slack takes 3,000 characters in a block.
const (
	maxBlock = 2_900
	maxArgs  = 8 * maxBlock
)

func cardOf(d *events.InputRequested, session, agent string) *card {
	value, _ := json.Marshal(ticket{session, d.CallID}) // texts alone
	c := &card{value: string(value)}
	c.title = fmt.Sprintf("%s wants to run %s", escape(visible(surface.OneLine(agent, 100))), "`"+strings.ReplaceAll(escape(d.ToolName), "`", "'")+"`")
	args := string(d.Args)
	if args == "" {
		args = "{}"
	}
	if args = visible(args); len(args) > maxArgs {
		c.hidden = true
		return c
	}
	for args != "" {
		piece := surface.Cut(args, maxBlock)
		c.args, args = append(c.args, piece), args[len(piece):]
	}
	return c
}

// visible writes characters that nobody sees, or that turn a text around, as \u escapes,
// which in JSON mean the same.
func visible(s string) string {
	var out strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t' || r == ' ' || !unicode.In(r, unicode.C, unicode.Zs, unicode.Zl, unicode.Zp) && !blank(r):
			out.WriteRune(r)
		case r > 0xffff:
			high, low := (r-0x10000)>>10+0xd800, (r-0x10000)&0x3ff+0xdc00
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// blank are letters and marks that show nothing.
func blank(r rune) bool {
	switch r {
	case 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x2800, 0x3164, 0xffa0:
		return true
	}
	return unicode.Is(unicode.Variation_Selector, r)
}

// blocks are the title and the arguments, as text that Slack reads nothing into.
func (c *card) blocks() []any {
	list := []any{section("mrkdwn", c.title)}
	for _, piece := range c.args {
		list = append(list, map[string]any{"type": "rich_text", "elements": []any{
			map[string]any{"type": "rich_text_preformatted", "elements": []any{map[string]any{"type": "text", "text": piece}}},
		}})
	}
	if c.hidden {
		list = append(list, section("mrkdwn", "Its arguments are too long to be shown whole, so it cannot be approved here. Whoever runs the host can see and approve it."))
	}
	return list
}

func section(kind, text string) map[string]any {
	return map[string]any{"type": "section", "text": map[string]any{"type": kind, "text": text}}
}

// open is the card with its buttons.
func (c *card) open() []any {
	button := func(id, text, style string) any {
		return map[string]any{"type": "button", "action_id": id, "style": style, "value": c.value, "text": map[string]any{"type": "plain_text", "text": text}}
	}
	buttons := []any{button(actionDeny, "Deny", "danger")}
	if !c.hidden {
		buttons = append([]any{button(actionApprove, "Approve", "primary")}, buttons...)
	}
	return append(c.blocks(), map[string]any{"type": "actions", "elements": buttons})
}

// closed is the card with what was decided in their place.
func (c *card) closed(verdict string) []any {
	return append(c.blocks(), map[string]any{"type": "context", "elements": []any{map[string]any{"type": "mrkdwn", "text": verdict}}})
}

package cli

import (
	"fmt"
	"strings"

	"github.com/gobdk/bdk/internal/client"
	"github.com/gobdk/bdk/transport"
)

// printRows prints a table.
func (a *app) printRows(rows []client.Session) error {
	if len(rows) == 0 {
		a.say("there are no sessions")
		return nil
	}
	var b strings.Builder
	for _, r := range rows {
		about := r.Title
		if about == "" {
			about = r.LastMessage
		}
		if s := []rune(strings.Join(strings.Fields(about), " ")); len(s) > 60 {
			about = string(s[:60]) + "…"
		} else {
			about = string(s)
		}
		fmt.Fprintf(&b, "%s  %-9s  %s  %3d  %-16s  %s\n", r.ID, r.Status, r.UpdatedAt.Local().Format("2006-01-02 15:04:05"), r.Turns, r.Agent, about)
	}
	return a.print("%s", a.shown(b.String()))
}

// printRow prints one session and what waits in it.
func (a *app) printRow(r client.Session, waiting []client.Approval) error {
	var b strings.Builder
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-12s %s\n", name, value)
		}
	}
	row("session", r.ID)
	row("title", r.Title)
	row("agent", r.Agent)
	row("status", r.Status)
	row("channel", r.ChannelID+", "+r.Mode+", "+r.Purpose)
	row("owner", r.Principal.Kind+":"+r.Principal.ID)
	row("created", r.CreatedAt.Local().Format("2006-01-02 15:04:05"))
	row("updated", r.UpdatedAt.Local().Format("2006-01-02 15:04:05"))
	if f := r.ForkedFrom; f != nil {
		row("forked from", fmt.Sprintf("%s up to event %d", f.SessionID, f.Index))
	}
	row("turns", fmt.Sprint(r.Turns))
	row("tokens", fmt.Sprintf("%d in, %d cached, %d out", r.Usage.InputTokens+r.Usage.CacheWriteTokens, r.Usage.CacheReadTokens, r.Usage.OutputTokens))
	if r.Cost != nil {
		row("cost", fmt.Sprintf("$%.6f", r.Cost.TotalUSD))
	}
	for _, w := range waiting {
		row("waits for", w.ToolName+" "+shorten(w.Args)+" ("+w.CallID+")")
	}
	row("last", r.LastMessage)
	return a.print("%s", a.shown(b.String()))
}

// shownRows gives sessions in the form of GET /v1/sessions.
func shownRows(list []client.Session) []transport.SessionRow {
	rows := make([]transport.SessionRow, len(list))
	for i := range list {
		rows[i] = transport.NewSessionRow(&list[i])
	}
	return rows
}

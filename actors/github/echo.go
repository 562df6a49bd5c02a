package github

import (
	"context"
	"strings"
)

// hidden begins the invisible marks in what the channel posts.
const hidden = "<!-- bdk:"

// echo says why an event is the channel's own doing, or another machine's talk; empty:
// it is neither. What a token's own account does counts as the channel's own only in
// comments, since people also use their own tokens.
func (c *channel) echo(ctx context.Context, d *Delivery, w *wire) string {
	own := sameLogin(d.Sender.Login, c.o.BotName)
	if c.o.Client.app != nil {
		own = own || d.Sender.Bot && sameLogin(d.Sender.Login, c.o.Client.Login(ctx))
	}
	switch d.Event {
	case eventIssueComment, eventReview, eventReviewComment:
	default:
		if own && d.Event != eventCheckRun && d.Event != eventWorkflowRun {
			return "the bot did it itself"
		}
		return ""
	}
	comment := w.Comment
	if d.Event == eventReview {
		comment = w.Review
	}
	login := comment.User.Login
	switch {
	case own, marked(comment.Body), sameLogin(login, c.o.BotName), c.viaApp(ctx, comment):
		return "the bot wrote it itself"
	case d.Sender.Bot, comment.User.bot():
		return "another bot wrote it"
	case sameLogin(login, c.o.Client.Login(ctx)):
		return "the account of the bot's token wrote it"
	}
	return ""
}

// viaApp says whether a comment was made through the channel's own app.
func (c *channel) viaApp(ctx context.Context, k *wireComment) bool {
	return k.App != nil && c.o.Client.app != nil && sameLogin(k.App.Slug, c.o.Client.Login(ctx))
}

// marked says whether a text bears a mark of the channel's own, not in a quotation.
func marked(body string) bool {
	for line := range strings.Lines(body) {
		if strings.HasPrefix(strings.TrimSpace(line), hidden) {
			return true
		}
	}
	return false
}

package actors

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// checkSend says what is wrong with a message for a channel.
func checkSend(text string, o *agent.SendOptions) error {
	switch {
	case strings.TrimSpace(text) == "":
		return errors.New("send: the text has no character that is not space")
	case !slices.Contains(admissions, o.Admission):
		return fmt.Errorf("send: admission is %q; it can be queue, interrupt, coalesce or reject", o.Admission)
	case o.Mode != events.ModeChat && o.Mode != events.ModeTask:
		return fmt.Errorf("send: mode is %q; it can be chat or task", o.Mode)
	}
	if o.ContinuationToken != "" {
		if err := checkToken(o.ContinuationToken); err != nil {
			return fmt.Errorf("send: %w", err)
		}
	}
	if err := checkDeliveryID(o.DeliveryID); err != nil {
		return fmt.Errorf("send: %w", err)
	}
	if err := checkState(o.State); err != nil {
		return fmt.Errorf("send: %w", err)
	}
	return nil
}

// cutTitle gives the title of a session that fits: its beginning.
func cutTitle(title string) string {
	if utf8.RuneCountInString(title) <= maxTitle {
		return title
	}
	return string([]rune(title)[:maxTitle-1]) + "…"
}

func checkToken(token string) error {
	if token == "" || len(token) > maxToken || !plain(token) {
		return fmt.Errorf("a continuationToken has 1 to %d bytes of UTF-8 without control characters", maxToken)
	}
	return nil
}

func checkDeliveryID(id string) error {
	if len(id) > maxDeliveryID || !plain(id) {
		return fmt.Errorf("a deliveryId has at most %d bytes of UTF-8 without control characters", maxDeliveryID)
	}
	return nil
}

// plain says whether a text can be part of a key and of a line of a log.
func plain(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

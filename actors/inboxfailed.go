package actors

import (
	"fmt"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

const (
	// failuresBack is how many events at the end of an agent's log are looked at for
	// requests that were given up, failuresFor how long such a one is shown.
	failuresBack = 512
	failuresFor  = 24 * time.Hour
)

// tellFailures shows, after a start, which acknowledged requests failed lately, in an
// earlier life of the host, and were not handled since.
func (h *Host) tellFailures(agents map[string]*agentRuntime) {
	if h.o.NoChannels {
		return
	}
	for slug, r := range agents {
		if err := r.log.inbox.tellFailures(); err != nil {
			h.o.Logger.Warn().Str("agent", slug).Err(err).Msg("which requests failed before the start is not known")
		}
	}
}

func (b *inbox) tellFailures() error {
	head, err := b.h.journal.Head(b.log.stream)
	if err != nil {
		return err
	}
	var f failures
	for at := head - min(head, failuresBack); at < head; {
		lines, err := b.h.journal.ReadSome(b.log.stream, at, head)
		if err != nil || len(lines) == 0 {
			return err
		}
		for i := range lines {
			if err := f.fold(lines[i].Data, b.h.now().Add(-failuresFor)); err != nil {
				return err
			}
		}
		at += uint64(len(lines))
	}
	for _, message := range f.left() {
		b.h.o.Logger.Warn().Str("agent", b.slug).Msg(message)
		b.h.found(b.slug, agent.Diagnostic{Rule: "channel/request-failed", Message: message, Fix: fixRequest})
	}
	return nil
}

// failures are requests that failed, by their deliveries, in order.
type failures struct {
	received map[string]*events.DeliveryReceived // by the receipt
	order    []string
	failed   map[string]string
}

func (f *failures) fold(line []byte, since time.Time) error {
	switch events.TypeOf(line) {
	case "delivery.received", "delivery.handled":
	default:
		return nil
	}
	e, err := events.Decode(line)
	if err != nil {
		return err
	}
	if f.received == nil {
		f.received, f.failed = map[string]*events.DeliveryReceived{}, map[string]string{}
	}
	switch d := e.Data.(type) {
	case *events.DeliveryReceived:
		f.received[d.ReceiptID] = d
	case *events.DeliveryHandled:
		f.handled(d, e.At.Before(since))
	}
	return nil
}

func (f *failures) handled(d *events.DeliveryHandled, old bool) {
	key, message := d.ReceiptID, fmt.Sprintf("a request that was acknowledged failed (%s): %s", d.ReceiptID, d.Message)
	if r := f.received[d.ReceiptID]; r != nil {
		message = failedRequest(r, d.Message)
		if r.DeliveryID != "" {
			key = receiptKey("", r.ChannelID, r.DeliveryID)
		}
	}
	delete(f.failed, key)
	if d.IsError && !old {
		f.order = append(f.order, key)
		f.failed[key] = message
	}
}

// left are the messages of those that were not handled since.
func (f *failures) left() (list []string) {
	for _, key := range f.order {
		if message, ok := f.failed[key]; ok {
			list = append(list, message)
			delete(f.failed, key)
		}
	}
	return list
}

// failedRequest says that the handler of a request failed.
func failedRequest(d *events.DeliveryReceived, why string) string {
	return fmt.Sprintf("channel %q handler of %s %s failed after the request was acknowledged: %s", d.ChannelID, d.Method, d.Route, why)
}

const fixRequest = "see the host's log, and mend the handler: the request is handled again when its sender delivers it again"

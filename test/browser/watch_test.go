package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A watch is what a tab's page did that a page should not do, and what it asked for.
type watch struct {
	faults   []string
	requests []string
	sent     []request
	urls     map[string]string // of requests, by their ids
	expected []*regexp.Regexp
}

// A request is what the page sent.
type request struct{ method, url, body string }

// listen makes the browser tell what its page does.
func (b *tab) listen() chromedp.Action[chromedp.Void] {
	b.t.Cleanup(b.report)
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{MaxPostDataSize: ptr(int64(1 << 16))})
		return err
	})
}

// heard takes an event of the browser, on its goroutine.
func (b *tab) heard(ev any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	switch e := ev.(type) {
	case *runtime.EventExceptionThrown:
		text, _ := json.Marshal(e.ExceptionDetails)
		b.fault("an uncaught exception: %s", text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == "error" || e.Type == "warning" || e.Type == "assert" {
			text, _ := json.Marshal(e.Args)
			b.fault("the console has the %s %s", e.Type, text)
		}
	case *log.EventEntryAdded: // refusals of the policy are among them
		if e.Entry.Level == "error" || e.Entry.Level == "warning" {
			b.fault("the console has the %s %q of %s (%s)", e.Entry.Level, e.Entry.Text, e.Entry.URL, e.Entry.Source)
		}
	case *network.EventRequestWillBeSent:
		b.log.urls[string(e.RequestID)] = e.Request.URL
		b.log.requests = append(b.log.requests, e.Request.URL)
		b.log.sent = append(b.log.sent, requestOf(e.Request))
	case *network.EventResponseReceived:
		if e.Response.Status >= 400 {
			b.fault("%s was answered %d", e.Response.URL, e.Response.Status)
		}
	case *network.EventLoadingFailed:
		if !e.Canceled {
			b.fault("the request of %s failed: %s %s", b.log.urls[string(e.RequestID)], e.ErrorText, e.BlockedReason)
		}
	}
}

func requestOf(r *network.Request) request {
	var body strings.Builder
	for _, part := range r.PostDataEntries {
		body.Write(part.Bytes)
	}
	return request{r.Method, r.URL, body.String()}
}

func ptr[T any](x T) *T { return &x }

func (b *tab) fault(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.ContainsFunc(b.log.expected, func(re *regexp.Regexp) bool { return re.MatchString(text) }) {
		b.log.faults = append(b.log.faults, text)
	}
}

// expect lets faults pass that belong to the test, from now on.
func (b *tab) expect(pattern string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.log.expected = append(b.log.expected, regexp.MustCompile(pattern))
}

// asked gives the addresses that the page asked for so far.
func (b *tab) asked() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.log.requests)
}

// last gives the newest request whose address holds a text.
func (b *tab) last(text string) request {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range slices.Backward(b.log.sent) {
		if strings.Contains(r.url, text) {
			return r
		}
	}
	b.t.Errorf("the page asked for nothing at %s", text)
	return request{}
}

// faults takes what went wrong since it was last asked.
func (b *tab) faults() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken := b.log.faults
	b.log.faults = nil
	return taken
}

// report fails the test for what went wrong, and for what was asked of other hosts.
func (b *tab) report() {
	b.t.Helper()
	for _, f := range b.faults() {
		b.t.Errorf("in the page: %s", f)
	}
	for _, url := range b.asked() {
		if !local.MatchString(url) {
			b.t.Errorf("the page asked %s", url)
		}
	}
}

// local are the addresses that a page may ask; the browser's own icons are data.
var local = regexp.MustCompile(`^(http://(127\.0\.0\.1|bdk\.example)(:\d+)?/|blob:http://(127\.0\.0\.1|bdk\.example)[:/]|about:blank$|data:)`)

// holding gives the addresses that hold a text.
func holding(urls []string, text string) []string {
	return slices.DeleteFunc(slices.Clone(urls), func(u string) bool { return !strings.Contains(u, text) })
}

package browser

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// inPage and onPage are what tests call in pages: t.control and the like, and checks.
//
//go:embed page.js
var inPage string

//go:embed checks/*.js
var onPage embed.FS

// A tab is a page in the browser, with storage of its own.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu     sync.Mutex
	log    watch
	closed bool
}

// newTab opens a tab. What goes wrong in it fails the test, at its end or when checked.
func newTab(t *testing.T) *tab {
	t.Helper()
	b := &tab{t: t, log: watch{urls: map[string]string{}}}
	ctx, cancel := chromedp.NewContext(started, chromedp.WithNewBrowserContext(), chromedp.WithListener(b.heard))
	b.ctx = ctx
	t.Cleanup(func() {
		if t.Failed() {
			b.snap("failed-" + strings.ReplaceAll(t.Name(), "/", "-"))
		}
		b.mu.Lock()
		b.closed = true
		b.mu.Unlock()
		cancel()
	})
	b.do(chromedp.Steps(b.listen(), b.inject(), chromedp.EmulateViewport(wide, high)))
	b.media("light")
	return b
}

// within is the tab for a part of the test.
func (b *tab) within(t *testing.T) *tab {
	b.t = t
	return b
}

// Sizes of the window: a desk's and a phone's.
const (
	wide  = 1280
	phone = 360
	high  = 860
)

func (b *tab) inject() chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		source, err := inPage, error(nil)
		for _, name := range []string{"base", "colour", "focus", "forced", "layout", "names", "scales"} {
			b, readErr := onPage.ReadFile("checks/" + name + ".js")
			source, err = source+"\n"+string(b), errors.Join(err, readErr)
		}
		if err != nil {
			return err
		}
		_, err = chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `addEventListener("DOMContentLoaded", () => {` + source + `})`})
		if err == nil {
			_, err = chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		}
		return err
	})
}

// do runs actions, which have a minute.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	// The first call must not end with a time of its own: the tab would end with it.
	done := make(chan error, 1)
	go func() { done <- chromedp.Do(b.ctx, steps...) }()
	select {
	case err := <-done:
		if err != nil {
			b.t.Fatal(err)
		}
	case <-time.After(limit):
		b.t.Fatal("the browser did not answer")
	}
}

// open goes to an address and waits for the page. Another place of the same page is
// gone to as a link would, so that what it holds stays.
func (b *tab) open(url string) {
	b.t.Helper()
	b.do(chromedp.Navigate(url))
	b.until(`document.readyState === "complete"`)
}

// value is what an expression gives in the page; promises are waited for.
func value[T any](b *tab, expression string, args ...any) T {
	b.t.Helper()
	expression = fill(b.t, expression, args)
	v, err := attempt[T](b, expression)
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// attempt may fail, as where the page is just left for another one.
func attempt[T any](b *tab, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(b.ctx, limit)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// fill puts arguments, as JSON, in the places of %s.
func fill(t *testing.T, expression string, args []any) string {
	t.Helper()
	if len(args) == 0 {
		return expression
	}
	for i, a := range args {
		text, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		args[i] = string(text)
	}
	return fmt.Sprintf(expression, args...)
}

// until waits until an expression holds.
func (b *tab) until(expression string, args ...any) {
	b.t.Helper()
	expression = fill(b.t, expression, args)
	for deadline := time.Now().Add(limit); ; {
		ok, err := attempt[bool](b, `new Promise((done) => { let ok = false; try { ok = Boolean(`+expression+`) } catch {} ok ? done(true) : setTimeout(() => done(false), 40) })`)
		if ok && err == nil {
			return
		}
		if time.Now().After(deadline) {
			b.t.Fatalf("in vain waited for\n\t%s\nat %s, which shows:\n%s", expression, value[string](b, `location.href`), value[string](b, `document.body.innerText.slice(0, 3000)`))
		}
	}
}

// sees waits until the page shows a text.
func (b *tab) sees(text string) {
	b.t.Helper()
	b.until(`document.body.innerText.includes(%s)`, text)
}

// click presses the pointer on the control that is called name: a button, a link, a field.
func (b *tab) click(name string) { b.t.Helper(); b.press(`t.control(%s)`, name) }

// press clicks on what an expression finds, when it is there, still and not covered.
func (b *tab) press(expression string, args ...any) {
	b.t.Helper()
	aim := `globalThis.t?.aim(() => ` + fill(b.t, expression, args) + `) ?? null`
	for deadline := time.Now().Add(limit); ; {
		if at, err := attempt[[]float64](b, aim); err == nil && len(at) == 2 {
			b.do(chromedp.MouseClickXY(at[0], at[1]))
			return
		}
		if time.Now().After(deadline) {
			b.t.Fatalf("nobody can click on %s at %s, which shows:\n%s", aim, value[string](b, `location.href`), value[string](b, `document.body.innerText.slice(0, 3000)`))
		}
	}
}

// types writes with the keyboard, where the focus is.
func (b *tab) types(text string) { b.t.Helper(); b.do(chromedp.KeyEvent(text)) }

// write clicks on a field and writes into it.
func (b *tab) write(name, text string) { b.t.Helper(); b.click(name); b.types(text) }

// enter presses the key as a keyboard does: a page that takes the press gets no new line.
func (b *tab) enter() {
	b.t.Helper()
	b.pressed(input.DispatchKeyEventParams{Key: "Enter", Code: "Enter", Text: "\r", UnmodifiedText: "\r", WindowsVirtualKeyCode: 13})
}

// escape presses the key.
func (b *tab) escape() {
	b.t.Helper()
	b.pressed(input.DispatchKeyEventParams{Key: "Escape", Code: "Escape", WindowsVirtualKeyCode: 27})
}

// backTab presses Tab with Shift, which is 8 among the modifiers.
func (b *tab) backTab() {
	b.t.Helper()
	b.pressed(input.DispatchKeyEventParams{Key: "Tab", Code: "Tab", WindowsVirtualKeyCode: 9, Modifiers: 8})
}

// pressed presses a key and lets it go.
func (b *tab) pressed(p input.DispatchKeyEventParams) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		p.Type = input.DispatchKeyEventTypeKeyDown
		if p.Text == "" {
			p.Type = input.DispatchKeyEventTypeRawKeyDown
		}
		if _, err := chromedp.Call(ctx, input.DispatchKeyEvent, p); err != nil {
			return err
		}
		p.Type, p.Text, p.UnmodifiedText = input.DispatchKeyEventTypeKeyUp, "", ""
		_, err := chromedp.Call(ctx, input.DispatchKeyEvent, p)
		return err
	}))
}

// point moves the pointer without pressing.
func (b *tab) point(x, y float64) {
	b.t.Helper()
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
}

// look sets the window's width and the scheme, "light" or "dark".
func (b *tab) look(width int64, scheme string) { b.t.Helper(); b.resize(width, high, scheme) }

// resize sets the window's size and the scheme.
func (b *tab) resize(width, height int64, scheme string) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, height))
	b.media(scheme)
}

// snap writes what the tab shows, where a folder for that is given.
func (b *tab) snap(name string) {
	b.t.Helper()
	if *shots == "" {
		return
	}
	ctx, cancel := context.WithTimeout(b.ctx, limit)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.MkdirAll(*shots, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(*shots, name+".png"), png, 0o644)
	}
	if err != nil {
		b.t.Errorf("the screenshot %s: %v", name, err)
	}
}

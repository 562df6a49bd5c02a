package browser

import (
	"context"
	"sync"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// rewrite clicks on a field and puts a text in the place of what it has, as pasting does.
func (b *tab) rewrite(text, field string, args ...any) {
	b.t.Helper()
	b.press(field, args...)
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		all := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: "a", Code: "KeyA", WindowsVirtualKeyCode: 65, Modifiers: 2, Commands: []string{"selectAll"}}
		if _, err := chromedp.Call(ctx, input.DispatchKeyEvent, all); err != nil {
			return err
		}
		if text == "" {
			_, err := chromedp.KeyEvent("\b")(ctx, t)
			return err
		}
		_, err := chromedp.Call(ctx, input.InsertText, input.InsertTextParams{Text: text})
		return err
	}))
}

// one holds while a tab uses the clipboard, which they share.
var one sync.Mutex

// copied clicks on what an expression finds, and gives what that copied.
func (b *tab) copied(button string, args ...any) string {
	b.t.Helper()
	one.Lock()
	defer one.Unlock()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for _, p := range []cdpbrowser.PermissionDescriptor{{Name: "clipboard-read"}, {Name: "clipboard-write"}, {Name: "clipboard-write", AllowWithoutSanitization: true}} {
			allow := cdpbrowser.SetPermissionParams{Permission: &p, Setting: cdpbrowser.PermissionSettingGranted, BrowserContextID: chromedp.FromContext(ctx).BrowserContextID}
			if _, err := chromedp.CallBrowser(ctx, cdpbrowser.SetPermission, allow); err != nil {
				return err
			}
		}
		_, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		return err
	}))
	value[bool](b, `navigator.clipboard.writeText("").then(() => true)`)
	b.press(button, args...)
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); {
		if text := value[string](b, `navigator.clipboard.readText()`); text != "" {
			return text
		}
	}
	b.t.Fatal("nothing was copied")
	return ""
}

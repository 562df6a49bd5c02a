package browser

import (
	"context"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/chromedp"
)

// shaded finds what a style sheet treats otherwise under the pointer, and all controls.
const shaded = `[...new Set([...document.styleSheets].flatMap(function rules(s) { return [...s.cssRules].flatMap((r) => [...(r.selectorText?.includes(":hover") ? [r.selectorText.replaceAll(":hover", "")] : []), ...(r.cssRules ? rules(r) : [])]) }))].concat(["a[href]", "button", "input", "select", "textarea", "summary", "[tabindex]"]).join(", ")`

// shades holds the contrasts of what the page shows while the pointer is on each part of
// it, and, with -full, while it is pressed and while it has the focus.
func (b *tab) shades(l look, found map[string]bool) {
	b.t.Helper()
	states := [][]string{{"hover"}, {"hover", "active"}, {"focus", "focus-visible"}}
	if !*full {
		states = states[:1]
	}
	nodes := b.nodes(value[string](b, shaded))
	for _, state := range states {
		b.force(nodes, state)
		for _, text := range b.wrong([]string{"contrast", "edges"}) {
			if !found[text] {
				b.t.Errorf("%s, %s: %s", l, strings.Join(state, " and "), text)
			}
			found[text] = true
		}
	}
	b.force(nodes, []string{})
}

// nodes are those of the page that a selector finds.
func (b *tab) nodes(selector string) (all []cdp.NodeID) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		for _, enable := range []func(context.Context) error{
			func(ctx context.Context) error {
				_, err := chromedp.Call(ctx, dom.Enable, dom.EnableParams{})
				return err
			},
			func(ctx context.Context) error { _, err := chromedp.Call(ctx, css.Enable, cdp.Empty{}); return err },
		} {
			if err := enable(ctx); err != nil {
				return err
			}
		}
		doc, err := chromedp.Call(ctx, dom.GetDocument, dom.GetDocumentParams{})
		if err != nil {
			return err
		}
		found, err := chromedp.Call(ctx, dom.QuerySelectorAll, dom.QuerySelectorAllParams{NodeID: doc.Root.NodeID, Selector: selector})
		all = found.NodeIDs
		return err
	}))
	return all
}

// force makes nodes look as in a state; one that has left the page since is let go.
func (b *tab) force(nodes []cdp.NodeID, state []string) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		for _, n := range nodes {
			_, _ = chromedp.Call(ctx, css.ForcePseudoState, css.ForcePseudoStateParams{NodeID: n, ForcedPseudoClasses: state})
		}
		return nil
	}))
}

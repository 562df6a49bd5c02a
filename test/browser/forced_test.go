package browser

import (
	"context"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// forced holds a surface against colours that a person chose for all pages: what is drawn
// is seen, what is chosen can be told, and all text can be read.
func (b *tab) forced(s surface) {
	b.t.Helper()
	b.show(s, looks[0])
	drawn := value[[]int](b, `checks.drawn()`)
	b.media(looks[0].scheme, emulation.MediaFeature{Name: "forced-colors", Value: "active"})
	b.until(`matchMedia("(forced-colors: active)").matches`)
	b.settle()
	b.snap(s.name + "-forced")
	for _, text := range value[[]string](b, `[...checks.gone(%s), ...checks.marked(), ...checks.contrast()]`, drawn) {
		b.t.Errorf("forced colours: %s", text)
	}
}

// media sets the scheme, asks for little motion, and sets what else the person wants.
func (b *tab) media(scheme string, more ...emulation.MediaFeature) {
	b.t.Helper()
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}
	for _, f := range more {
		features = append(features, &f)
	}
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
		return err
	}))
}

package script

import (
	"errors"
	"strings"
	"sync"

	"golang.org/x/text/cases"
	"golang.org/x/text/collate"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"modernc.org/quickjs/intl"
)

// intlOps serve Intl, which a VM gets when the project first asks for it, and
// the collation behind localeCompare.
func intlOps(o *ops) {
	o.sync("intl.install", func(v *vm, _ args) (any, error) {
		var options []intl.Option
		if zone := v.o.Env["TZ"]; zone != "" {
			options = append(options, intl.TimeZone(zone))
		}
		return nil, intl.Register(v.js, options...)
	})
	o.sync("intl.data", func(_ *vm, a args) (any, error) {
		text, err := sources.ReadFile("js/locales/" + a.text(0) + ".json")
		return string(text), err
	})
	o.sync("intl.language", func(_ *vm, a args) (any, error) {
		var tags []string
		if err := a.into(0, &tags); err != nil {
			return nil, err
		}
		return languageOf(tags)
	})
	o.sync("intl.case", func(_ *vm, a args) (any, error) {
		if a.flag(2) {
			return cases.Upper(tagOf(a.text(1))).String(a.text(0)), nil
		}
		return cases.Lower(tagOf(a.text(1)), cases.HandleFinalSigma(true)).String(a.text(0)), nil
	})
	o.sync("intl.compare", func(_ *vm, a args) (any, error) {
		return float64(collatorOf(a.text(2), a.text(3), a.flag(4)).compare(a.text(0), a.text(1))), nil
	})
	o.sync("intl.plural", func(_ *vm, a args) (any, error) {
		rules := plural.Cardinal
		if a.flag(1) {
			rules = plural.Ordinal
		}
		form := rules.MatchPlural(tagOf(a.text(0)), a.integer(2), a.integer(3), a.integer(4), a.integer(5), a.integer(6))
		return pluralNames[form], nil
	})
}

var pluralNames = map[plural.Form]string{
	plural.Other: "other", plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many",
}

// languageOf is the first of the tags that names a language, without what asks for
// more than the language, the script and the region; else en-US. A language without
// rules of its own is ordered by the root's, which are written for all of them.
func languageOf(tags []string) (string, error) {
	for _, tag := range tags {
		t, err := language.Parse(tag)
		var unknown language.ValueError
		if errors.As(err, &unknown) {
			continue
		}
		if err != nil {
			return "", &hostError{Name: "RangeError", Message: "Incorrect locale information provided: " + clip(tag, 50)}
		}
		plain, _, _ := strings.Cut(t.String(), "-u-")
		return plain, nil
	}
	return "en-US", nil
}

// tagOf reads a locale; English where it is none.
func tagOf(locale string) language.Tag {
	if t, err := language.Parse(locale); err == nil {
		return t
	}
	return language.English
}

// A collator compares texts by the rules of a language. Go's is not safe for
// concurrent use, hence the lock.
type collator struct {
	mu sync.Mutex
	c  *collate.Collator
}

func (c *collator) compare(a, b string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.c.CompareString(a, b)
}

type collatorKey struct {
	locale, sensitivity string
	numeric             bool
}

// collators are made once each: making one costs a thousand comparisons.
var collators sync.Map

func collatorOf(locale, sensitivity string, numeric bool) *collator {
	key := collatorKey{tagOf(locale).String(), sensitivity, numeric}
	if c, ok := collators.Load(key); ok {
		return c.(*collator)
	}
	var options []collate.Option
	switch sensitivity {
	case "base":
		options = append(options, collate.IgnoreCase, collate.IgnoreDiacritics, collate.IgnoreWidth)
	case "accent":
		options = append(options, collate.IgnoreCase)
	case "case":
		options = append(options, collate.IgnoreDiacritics)
	}
	if numeric {
		options = append(options, collate.Numeric)
	}
	c, _ := collators.LoadOrStore(key, &collator{c: collate.New(tagOf(locale), options...)})
	return c.(*collator)
}

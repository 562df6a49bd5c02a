package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	xmessage "golang.org/x/text/message"
)

// leaves says one fault of the validator in plain words; a missing or unwanted
// key is a fault at that key.
func leaves(e *jsonschema.ValidationError) []fault {
	at := e.InstanceLocation
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		return []fault{{at: at, types: k.Want, message: "must be " + typeList(k.Want) + ", not " + article(k.Got)}}
	case *kind.Required:
		return each(at, k.Missing, "is required")
	case *kind.Dependency:
		return each(at, k.Missing, "is required beside "+quote(k.Prop))
	case *kind.DependentRequired:
		return each(at, k.Missing, "is required beside "+quote(k.Prop))
	case *kind.AdditionalProperties:
		return each(at, k.Properties, "is not a known property")
	case *kind.FalseSchema:
		return []fault{{at: at, message: "is not allowed here"}}
	}
	message := textMessage(e.ErrorKind)
	if message == "" {
		message = countMessage(e.ErrorKind)
	}
	if message == "" {
		message = e.ErrorKind.LocalizedString(xmessage.NewPrinter(language.English))
	}
	return []fault{{at: at, message: message}}
}

func each(at, names []string, message string) []fault {
	list := make([]fault, len(names))
	for i, n := range names {
		list[i] = fault{at: with(at, n), message: message}
	}
	return list
}

func textMessage(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Enum:
		return "must be " + choice(k.Want)
	case *kind.Const:
		return "must be " + display(k.Want)
	case *kind.Pattern:
		return "must match the pattern " + clip(k.Want, 200)
	case *kind.Format:
		if k.Want == "regex" {
			return "is not a valid regular expression: " + clip(k.Err.Error(), 200)
		}
		return "is not a valid " + k.Want
	case *kind.Not:
		return "is one of the values that are not allowed"
	case *kind.OneOf:
		return fmt.Sprintf("fits the allowed forms %d and %d, and must fit one alone", k.Subschemas[0]+1, k.Subschemas[1]+1)
	case *kind.Contains:
		return "has no item of the wanted kind"
	case *kind.UniqueItems:
		return fmt.Sprintf("has the same item at %d and %d", k.Duplicates[0], k.Duplicates[1])
	case *kind.RefCycle:
		return "cannot be checked: the schema refers to itself without an end"
	}
	return ""
}

func countMessage(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Minimum:
		return "must be at least " + number(k.Want)
	case *kind.Maximum:
		return "must be at most " + number(k.Want)
	case *kind.ExclusiveMinimum:
		return "must be more than " + number(k.Want)
	case *kind.ExclusiveMaximum:
		return "must be less than " + number(k.Want)
	case *kind.MultipleOf:
		return "must be a multiple of " + number(k.Want)
	case *kind.MinLength:
		return counted("at least", k.Want, "character", k.Got)
	case *kind.MaxLength:
		return counted("at most", k.Want, "character", k.Got)
	case *kind.MinItems:
		return counted("at least", k.Want, "item", k.Got)
	case *kind.MaxItems:
		return counted("at most", k.Want, "item", k.Got)
	case *kind.MinProperties:
		return counted("at least", k.Want, "key", k.Got)
	case *kind.MaxProperties:
		return counted("at most", k.Want, "key", k.Got)
	}
	return ""
}

func counted(bound string, want int, noun string, got int) string {
	if want != 1 {
		noun += "s"
	}
	return fmt.Sprintf("must have %s %d %s, not %d", bound, want, noun, got)
}

func typeList(types []string) string {
	named := make([]string, len(types))
	for i, t := range types {
		named[i] = article(t)
	}
	slices.SortStableFunc(named, func(a, b string) int { // null last
		return boolInt(a == "null") - boolInt(b == "null")
	})
	return strings.Join(named, " or ")
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func article(t string) string {
	switch t {
	case "null":
		return t
	case "array", "object", "integer":
		return "an " + t
	}
	return "a " + t
}

func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "number"
}

func choice(want []any) string {
	const most = 12
	var list []string
	for i, v := range want {
		if i == most {
			list = append(list, "…")
			break
		}
		list = append(list, display(v))
	}
	if len(list) == 1 {
		return list[0]
	}
	return "one of " + strings.Join(list, ", ")
}

func display(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return "another value"
	}
	return clip(strings.TrimSuffix(b.String(), "\n"), 100)
}

func quote(s string) string { return display(s) }

// number writes a bound as people do; what has no short decimals as a fraction.
func number(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	if n, exact := r.FloatPrec(); exact && n <= 20 {
		return r.FloatString(n)
	}
	return r.RatString()
}

// clip cuts on a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

package browser

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gobdk/bdk/test/typed"
)

// A tried is a call of a route in the modal: what was written into it, and what it showed.
type tried struct {
	route
	written map[string]string // by the labels of the fields
	status  int
	answer  string
}

// modals calls each route in the modal: "Invoke a custom channel route from the Agent tab. The modal remembers your last body per
// endpoint, copies curl, and opens a session when the route creates one". It remembers over a
// reload, and what was copied does in a shell what the modal did.
func (b *tab) modals(d desk) {
	b.t.Helper()
	var calls []*tried
	for i, r := range d.routes {
		b.open(d.url + "/playground#/agent")
		b.until(`document.querySelector("main h1")`)
		if r.Ingress {
			b.sees(r.shown())
			if value[bool](b, `Boolean(t.control(%s))`, "Try "+r.Method+" "+r.shown()) {
				b.t.Errorf("%s, which a platform calls, can be tried", r.shown())
			}
			continue
		}
		calls = append(calls, b.tries(d, r, i))
	}
	b.open("about:blank")
	b.open(d.url + "/playground#/agent")
	for _, c := range calls {
		b.again(d, c)
	}
}

// shown is how the page writes the route's address.
func (r route) shown() string {
	return "/v1/channels/" + r.channel + strings.TrimSuffix(r.Path, "/")
}

const (
	dialog  = `document.querySelector("dialog[open]")`
	inField = `[...document.querySelectorAll("dialog[open] input, dialog[open] textarea")].find((el) => t.name(el) === %s)`
	button  = `[...document.querySelectorAll("dialog[open] button")].find((el) => t.name(el) === %s)`
	said    = `document.querySelector("dialog[open] [aria-label=Answer]")`
)

// tries opens the modal of a route, writes into each of its fields and sends it.
func (b *tab) tries(d desk, r route, i int) *tried {
	b.t.Helper()
	b.click("Try " + r.Method + " " + r.shown())
	b.until(dialog)
	c := &tried{route: r, written: map[string]string{}}
	params := map[string]string{}
	for _, name := range r.params() {
		params[name] = fmt.Sprintf("a b-ж%d", i)
		c.written[name] = params[name]
	}
	if r.QuerySchema != nil || !r.takesBody() {
		c.written["Query"] = "q=" + marked[:12] + "[1]&limit=3&tag=a&tag={b}"
	}
	if r.takesBody() {
		c.written["Body"] = bodyFor(b.t, r)
	}
	for label, text := range c.written {
		b.rewrite(text, inField, label)
	}
	before := value[string](b, `location.hash`)
	b.press(button, "Send")
	b.until(said+` || location.hash !== %s`, before)
	if id, ok := strings.CutPrefix(value[string](b, `location.hash`), "#/chat/"); ok {
		b.until(`!` + dialog)
		b.until(`document.querySelector(".transcript").innerText.includes(%s)`, marked)
		c.status, c.answer = value[int](b, `Number(document.querySelector("[aria-label=Answer] .chip").innerText)`), b.answer("[aria-label=Answer]")
		if !strings.Contains(c.answer, id) {
			b.t.Errorf("%s %s: the page opens %s for the answer %s", r.Method, r.shown(), id, c.answer)
		}
		return c
	}
	c.status, c.answer = value[int](b, `Number(`+said+`.querySelector(".chip").innerText)`), b.answer("dialog[open] [aria-label=Answer]")
	if slices.Contains([]int{400, 401, 403}, c.status) {
		b.t.Errorf("%s %s is answered %d %s", r.Method, r.shown(), c.status, c.answer)
	}
	if d.slug == "switchboard" && strings.Contains(c.answer, `"params"`) {
		b.echoes(c, params)
	}
	b.press(button, "Close")
	b.until(`!` + dialog)
	return c
}

// bodyFor is what is written into the body: what fits, or, where no schema says, some JSON.
func bodyFor(t *testing.T, r route) string {
	t.Helper()
	var v any = map[string]any{"said": marked, "nested": []any{1.0, nil, map[string]any{"@": "file"}}}
	if r.BodySchema != nil {
		v = fitting(r.BodySchema)
	}
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// answer is the text that a card shows, whole.
func (b *tab) answer(card string) string {
	b.t.Helper()
	more := `[...document.querySelectorAll(` + strconv.Quote(card+" button") + `)].find((el) => el.innerText.startsWith("Show all"))`
	if value[bool](b, `Boolean(`+more+`)`) {
		b.press(more)
		b.until(`!(` + more + `)`)
	}
	return value[string](b, `document.querySelector(`+strconv.Quote(card+" pre[aria-label=Answer]")+`)?.textContent ?? ""`)
}

// echoes holds what the switchboard gives back against what was written.
func (b *tab) echoes(c *tried, params map[string]string) {
	b.t.Helper()
	var got struct {
		Method string
		Params map[string]string
		Body   any
		Query  map[string]any
	}
	if err := json.Unmarshal([]byte(c.answer), &got); err != nil {
		b.t.Fatal(err)
	}
	var body any
	if text := c.written["Body"]; text != "" {
		if err := json.Unmarshal([]byte(text), &body); err != nil {
			b.t.Fatal(err)
		}
	}
	if got.Method != c.Method || len(params) > 0 && !reflect.DeepEqual(got.Params, params) || !reflect.DeepEqual(got.Body, body) {
		b.t.Errorf("%s %s: the route got %+v, and was sent %v %v", c.Method, c.shown(), got, params, body)
	}
	if c.written["Query"] != "" && (got.Query["q"] != marked[:12]+"[1]" || !reflect.DeepEqual(got.Query["tag"], []any{"a", "{b}"})) {
		b.t.Errorf("%s %s: the route got the query %v of %s", c.Method, c.shown(), got.Query, c.written["Query"])
	}
}

// again opens the modal a second time: it has what was written, and what it copies does the
// same in a shell.
func (b *tab) again(d desk, c *tried) {
	b.t.Helper()
	b.click("Try " + c.Method + " " + c.shown())
	b.until(dialog)
	for label, text := range c.written {
		if got := value[string](b, inField+`.value`, label); got != text {
			b.t.Errorf("%s %s: %s was %q, and is remembered as %q", c.Method, c.shown(), label, text, got)
		}
	}
	script := b.copied(button, "Copy as curl")
	b.press(button, "Close")
	b.until(`!` + dialog)
	out, faults, err := typed.Shell(b.t, b.t.TempDir(), strings.Replace(script, "curl ", `curl -sS -w '\n%{http_code}' `, 1), limit)
	if err != nil {
		b.t.Errorf("%s %s: the shell says %v %s of\n%s", c.Method, c.shown(), err, faults, script)
		return
	}
	at := strings.LastIndex(out, "\n")
	if status := out[at+1:]; status != fmt.Sprint(c.status) {
		b.t.Errorf("%s %s: the modal got %d, and curl %s of\n%s", c.Method, c.shown(), c.status, out, script)
	}
	same := sameShape
	if d.slug == "switchboard" {
		same = sameText
	}
	if !same(out[:at], c.answer) {
		b.t.Errorf("%s %s: the modal got\n%s, and curl\n%s of\n%s", c.Method, c.shown(), c.answer, out[:at], script)
	}
}

var changing = regexp.MustCompile(`ses_[0-9A-Za-z]+|req_[0-9A-Za-z]+`)

// sameText holds for answers that differ in ids at most.
func sameText(a, b string) bool {
	var x, y any
	a, b = changing.ReplaceAllString(a, "id"), changing.ReplaceAllString(b, "id")
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return a == b
	}
	return reflect.DeepEqual(x, y)
}

// sameShape holds for answers with the same fields: what a sample keeps changes by calls.
func sameShape(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return a == b
	}
	return reflect.DeepEqual(shape(x), shape(y))
}

func shape(x any) any {
	switch x := x.(type) {
	case map[string]any:
		all := map[string]any{}
		for k, v := range x {
			all[k] = shape(v)
		}
		return all
	case []any:
		return "a list"
	}
	return fmt.Sprintf("%T", x)
}

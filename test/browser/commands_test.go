package browser

import (
	"encoding/json"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/chromedp/chromedp/kb"
)

// commands tries each as such: "Custom channel routes without path parameters become composer commands; GitHub and Slack
// ingress routes are excluded". `/help` and completion show them under their names, and each
// does what its route's schemas say.
func (b *tab) commands(d desk) {
	b.t.Helper()
	named := d.commands()
	b.open(d.url + "/playground#/chat")
	b.lists(named)
	b.completes(named)
	for name, r := range named {
		b.runs(d, name, r)
	}
}

// commands gives the routes without parameters by the names of their commands: "a route's
// name is its last path part (the channel's id for `/`)"; where others have it, or /help,
// the channel and the path tell them apart.
func (d desk) commands() map[string]route {
	var own []route
	for _, r := range d.routes {
		if len(r.params()) == 0 && !r.Ingress {
			own = append(own, r)
		}
	}
	last := func(r route) string {
		if r.Path == "/" {
			return r.channel
		}
		return r.Path[strings.LastIndex(r.Path, "/")+1:]
	}
	named := map[string]route{}
	for _, r := range own {
		same := 0
		for _, other := range own {
			if last(other) == last(r) {
				same++
			}
		}
		name := last(r)
		if same > 1 || name == "help" {
			name = r.channel + r.Path
		}
		named[name] = r
	}
	return named
}

// lists types /help, and reads the commands there.
func (b *tab) lists(named map[string]route) {
	b.t.Helper()
	b.write("Message", "/help")
	b.enter()
	b.until(`document.querySelector("[aria-label=Commands][role=status]")`)
	if len(named) == 0 {
		b.sees("This agent has no channel routes of its own without parameters")
	}
	shown := value[[]string](b, `[...document.querySelectorAll("[aria-label=Commands][role=status] dt span")].map((el) => el.innerText)`)
	b.same("/help", shown, named)
	text := value[string](b, `document.querySelector("[aria-label=Commands][role=status]").innerText`)
	for name, r := range named {
		for _, field := range append(fieldsOf(r.BodySchema), fieldsOf(r.QuerySchema)...) {
			if !strings.Contains(text, field) {
				b.t.Errorf("/help says nothing of %s of /%s", field, name)
			}
		}
		if !strings.Contains(text, r.Description) {
			b.t.Errorf("/help does not say what /%s does: %s", name, r.Description)
		}
	}
	b.press(`[...document.querySelectorAll("[aria-label=Commands][role=status] button")].find((el) => el.innerText === "Close")`)
}

func fieldsOf(schema map[string]any) []string {
	properties, _ := schema["properties"].(map[string]any)
	var names []string
	for name := range properties {
		names = append(names, name)
	}
	return names
}

// same holds usages, such as "/desk <text>", against the commands.
func (b *tab) same(where string, usages []string, named map[string]route) {
	b.t.Helper()
	var got, want []string
	for _, u := range usages {
		name, _, _ := strings.Cut(strings.TrimPrefix(u, "/"), " ")
		got = append(got, name)
	}
	for name := range named {
		want = append(want, name)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		b.t.Errorf("%s has the commands %q, want %q", where, got, want)
	}
}

const (
	options = `[...document.querySelectorAll("#commands [role=option]")]`
	active  = `document.getElementById(document.querySelector("#message").getAttribute("aria-activedescendant"))`
)

// completes names a command with the keyboard alone: arrows choose, Tab and Enter take,
// Escape leaves what is written.
func (b *tab) completes(named map[string]route) {
	b.t.Helper()
	b.write("Message", "/")
	b.until(options+`.length === %s`, len(named)+1) // and /help
	shown := value[[]string](b, options+`.map((el) => el.querySelector("span").innerText)`)
	b.same("completion", slices.DeleteFunc(shown, func(u string) bool { return u == "/help" }), named)
	first := value[string](b, active+`.innerText`)
	if len(named) == 0 {
		b.rewrite("", `t.control("Message")`)
		return
	}
	b.types(kb.ArrowUp)
	b.until(active+` === `+options+`.at(-1) && `+active+`.innerText !== %s`, first)
	b.types(kb.ArrowDown)
	b.until(active+`.innerText === %s`, first)
	b.types(kb.ArrowDown)
	b.until(active + ` === ` + options + `[1]`)
	wanted := strings.Fields(value[string](b, active+`.innerText`))[0]
	b.types("\t")
	b.until(`document.querySelector("#message").value.trim() === %s && !document.querySelector("#commands").checkVisibility()`, wanted)
	b.rewrite("/", `t.control("Message")`)
	b.types(kb.Escape)
	b.until(`!document.querySelector("#commands").checkVisibility() && document.querySelector("#message").value === "/"`)
	for name := range named {
		b.rewrite("/"+name[:len(name)-1], `t.control("Message")`)
		b.until(options+`.some((el) => (el.innerText + " ").startsWith(%s))`, "/"+name)
	}
	b.rewrite("", `t.control("Message")`)
}

// runs writes a command with a value for each field that can be named, and holds what the
// page sends and shows against that.
func (b *tab) runs(d desk, name string, r route) {
	b.t.Helper()
	body, _ := fitting(r.BodySchema).(map[string]any)
	query, _ := fitting(r.QuerySchema).(map[string]any)
	b.rewrite(line(name, r, body, query), `t.control("Message")`)
	b.enter()
	b.until(`document.querySelector("[aria-label=Answer] b")?.innerText === %s`, "/"+name)
	sent := b.last("/" + d.slug + r.where(nil))
	if sent.method != r.Method {
		b.t.Errorf("/%s sends %s", name, sent.method)
	}
	b.holdsBody(name, sent.body, body)
	b.holdsQuery(name, sent.url, query)
	status := value[int](b, `Number(document.querySelector("[aria-label=Answer] .chip").innerText)`)
	if slices.Contains([]int{400, 401, 403, 404}, status) {
		b.t.Errorf("/%s is answered %d", name, status)
	}
	if id := value[string](b, `(() => { try { return JSON.parse(document.querySelector("pre[aria-label=Answer]").innerText).sessionId ?? "" } catch { return "" } })()`); id != "" {
		b.until(`location.hash === %s`, "#/chat/"+id)
		b.until(`document.querySelector(".transcript").innerText.includes(%s)`, marked)
	}
	b.press(`[...document.querySelectorAll("[aria-label=Answer] button")].find((el) => el.innerText === "Close")`)
	b.until(`!document.querySelector("[aria-label=Answer]")`)
}

// line is how the command is written: "a single required string field takes the rest of the
// line, else key=value".
func line(name string, r route, body, query map[string]any) string {
	all, fields := map[string]any{}, map[string]any{}
	for _, from := range []map[string]any{body, query} {
		for k, v := range from {
			all[k] = v
			if !strings.ContainsAny(k, ` ="'`) {
				fields[k] = v
			}
		}
	}
	required := append(requiredOf(r.BodySchema), requiredOf(r.QuerySchema)...)
	if len(all) == 1 && len(required) == 1 && fields[required[0]] == marked {
		return "/" + name + " " + marked
	}
	written := "/" + name
	for k, v := range fields {
		text, err := json.MarshalIndent(v, "", " ")
		if err != nil {
			return err.Error()
		}
		if s, ok := v.(string); ok {
			text = []byte(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`)
		}
		written += " " + k + "=" + strings.ReplaceAll(string(text), "\n", " ")
	}
	return written
}

func requiredOf(schema map[string]any) []string {
	list, _ := schema["required"].([]any)
	var names []string
	for _, x := range list {
		names = append(names, x.(string))
	}
	return names
}

func (b *tab) holdsBody(name, sent string, want map[string]any) {
	b.t.Helper()
	want = named(want)
	var got map[string]any
	if err := json.Unmarshal([]byte(sent), &got); sent != "" && err != nil || len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
		b.t.Errorf("/%s sends %s, want %v", name, sent, want)
	}
}

// named are the fields that a command can name.
func named(fields map[string]any) map[string]any {
	all := map[string]any{}
	for k, v := range fields {
		if !strings.ContainsAny(k, ` ="'`) {
			all[k] = v
		}
	}
	return all
}

func (b *tab) holdsQuery(name, sent string, want map[string]any) {
	b.t.Helper()
	u, err := url.Parse(sent)
	if err != nil {
		b.t.Fatal(err)
	}
	values := url.Values{}
	for k, v := range want {
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		for _, x := range list {
			s, ok := x.(string)
			if !ok {
				text, _ := json.Marshal(x)
				s = string(text)
			}
			values.Add(k, s)
		}
	}
	if got := u.Query(); len(got)+len(values) > 0 && !reflect.DeepEqual(got, values) {
		b.t.Errorf("/%s asks with %v, want %v", name, got, values)
	}
}

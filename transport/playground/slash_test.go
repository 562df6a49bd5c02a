package playground

import "testing"

const channels = `
	var text = { type: "string" };
	var channels = [
		{ id: "http", routes: [{ method: "GET", path: "/v1/info" }] },
		{ id: "github", description: "Hooks", routes: [{ method: "POST", path: "/", ingress: true }] },
		{ id: "alerts", description: "Takes alerts", routes: [{ method: "POST", path: "/", bodySchema: { type: "object", properties: { service: text, count: { type: "integer" }, loud: { type: "boolean" }, tags: { type: "array", items: { type: "number" } }, more: { type: "object" }, level: { enum: [1, 2, "all"] }, note: { anyOf: [{ type: "null" }, text] } }, required: ["service", "count"] } }] },
		{ id: "ops", routes: [
			{ method: "POST", path: "/pulls/drive", description: "Drives", bodySchema: { $ref: "#/$defs/d", $defs: { d: { type: "object", properties: { prUrl: text, force: { type: "boolean" } }, required: ["prUrl"] } } } },
			{ method: "GET", path: "/stats", querySchema: { type: "object", properties: { days: { type: "integer" } }, required: ["days"] } },
			{ method: "POST", path: "/pulls/:number/label" }, { method: "POST", path: "/any" }, { method: "GET", path: "/help" }, { method: "POST", path: "/post", bodySchema: { properties: { "город": text }, required: ["город"] } },
			{ method: "DELETE", path: "/drop", bodySchema: { properties: { why: text, all: { type: "boolean" } } } }, { method: "GET", path: "/a/list" }, { method: "GET", path: "/b/list" }, { method: "POST", path: "/b/list" },
		] },
	];
	var list = commands(customRoutes(channels));
	var say = (line) => { var r = read(line, list); return r.kind === "call" ? [r.command.name, r.body, r.query] : r.kind === "fault" ? r.message : r.kind === "unknown" ? ["unknown", r.name, r.near] : r.kind; };`

// "Custom channel routes without path parameters become composer commands; GitHub and Slack
// ingress routes are excluded." "A route's name is its last path part (the channel's id for
// "/")": where two have one name, their paths tell them apart.
func TestSlash_Commands(t *testing.T) {
	l := newLogic(t, "routes", "views/chat/slash")
	l.run(channels)
	for expression, want := range map[string]string{
		`list.map((c) => c.name)`: `["alerts","drive","stats","any","ops/help","post","drop","ops/a/list","ops/b/list:get","ops/b/list:post"]`,
		`list.map(usage)`: `["/alerts service=… count=… [loud=…] [tags=…] [more=…] [level=…] [note=…]","/drive prUrl=… [force=…]",` +
			`"/stats days=…","/any","/ops/help","/post <город>","/drop [why=…] [all=…]","/ops/a/list","/ops/b/list:get","/ops/b/list:post"]`,
		`list[0].description`:                      `"Takes alerts"`,
		`complete("/", list).length`:               `10`,
		`complete("/ST", list).map((c) => c.name)`: `["stats","ops/a/list","ops/b/list:get","ops/b/list:post","post"]`,
		`complete("/stats 1", list).length`:        `0`,
		`complete("stats", list).length`:           `0`,
		`customRoutes(undefined)`:                  `[]`,
		`usage(commands([{ channel: "x", method: "POST", path: "/go", bodySchema: { properties: { to: text }, required: ["to"] } }])[0])`: `"/go <to>"`,
	} {
		l.want(expression, want)
	}
}

// "A single required string field takes the rest of the line, else key=value".
func TestSlash_Lines(t *testing.T) {
	l := newLogic(t, "routes", "views/chat/slash")
	l.run(channels)
	for line, want := range map[string]string{
		`hello`:   `"message"`,
		` /drive`: `"message"`,
		`/`:       `"message"`,
		`/help`:   `"help"`,
		`/drive https://example.com/7 "as it is" x=1`: `["drive",{"prUrl":"https://example.com/7 \"as it is\" x=1"},{}]`,
		"/drive a\nb":                   `["drive",{"prUrl":"a\nb"},{}]`,
		`/drive prUrl='a b' force=true`: `["drive",{"prUrl":"a b","force":true},{}]`,
		`/drive force=true`:             `"prUrl: is required"`,
		`/drive`:                        `"prUrl: is required"`,
		`/stats days=7`:                 `["stats",null,{"days":7}]`,
		`/stats days=`:                  `"days: must be an integer"`,
		`/stats days=soon`:              `"days: must be an integer"`,
		`/stats dayz=7`:                 `"dayz: there is no such field; there are days"`,
		`/stats days=1 days=2`:          `"days: is given twice"`,
		`/stats seven`:                  `"cannot read seven: write name=value, and a value with spaces in quotes"`,
		`/alerts service="web \"1\"" count=2 loud=false tags=1,2.5 more={"a":1} level=2 note=null`: `["alerts",{"service":"web \"1\"","count":2,"loud":false,"tags":[1,2.5],"more":{"a":1},"level":2,"note":"null"},{}]`,
		`/alerts service=a count=2 tags=[1] level=all`:                                             `["alerts",{"service":"a","count":2,"tags":[1],"level":"all"},{}]`,
		`/alerts service=a count=2 tags=1,x`:                                                       `"tags: must be a number"`,
		`/alerts service=a count=2 more={`:                                                         `"more: must be an object in JSON"`,
		`/alerts service=a count=2 loud=yes`:                                                       `"loud: must be a boolean"`,
		`/alerts service="a b`:                                                                     `"cannot read service=\"a b: write name=value, and a value with spaces in quotes"`,
		`/alerts count=2`:                                                                          `"service: is required"`,
		`/alerts loud=true`:                                                                        `"service, count: are required"`,
		`/alerts service=a count=2 more={"a": [1, "} \" {"]} loud=true`:                            `["alerts",{"service":"a","count":2,"more":{"a":[1,"} \" {"]},"loud":true},{}]`,
		`/alerts service=a count=2 tags=[1, 2]`:                                                    `["alerts",{"service":"a","count":2,"tags":[1,2]},{}]`,
		`/alerts service={a count=2`:                                                               `["alerts",{"service":"{a","count":2},{}]`,
		`/post город=Тверь`:                                                                        `["post",{"город":"Тверь"},{}]`,
		`/post Тверь =`:                                                                            `["post",{"город":"Тверь ="},{}]`,
		`/drop why=old`:                                                                            `["drop",{"why":"old"},{}]`,
		`/any`:                                                                                     `["any",null,{}]`,
		`/any a=1 b='x'`:                                                                           `["any",{"a":"1","b":"x"},{}]`,
		`/any __proto__=1`:                                                                         `["any",{"__proto__":"1"},{}]`,
		`/ops/help`:                                                                                `["ops/help",null,{}]`,
		`/list`:                                                                                    `"several commands are named list: /ops/a/list, /ops/b/list:get, /ops/b/list:post"`,
		`/github`:                                                                                  `["unknown","github",null]`,
		`/label label=a`:                                                                           `["unknown","label",null]`,
		`/stat days=1`:                                                                             `["unknown","stat","stats"]`,
		`/dirve x`:                                                                                 `["unknown","dirve","drive"]`,
	} {
		l.want("say("+encode(t, line)+")", want)
	}
}

// "Body editor prefilled from the schema".
func TestRoutes_Samples(t *testing.T) {
	l := newLogic(t, "routes")
	for expression, want := range map[string]string{
		`sample({ type: "object", properties: { a: { type: "string" }, b: { type: "integer", minimum: 3 }, c: { default: [1] }, d: { type: "string" } }, required: ["a", "b"] })`:                        `{"a":"","b":3,"c":[1]}`,
		`sample({ type: "object", properties: { a: { type: "boolean" }, b: { enum: ["x", "y"] } } })`:                                                                                                    `{"a":false,"b":"x"}`,
		`sample({ properties: { a: { anyOf: [{ type: "null" }, { type: "number" }] }, b: { type: ["null", "string"], format: "uri" }, c: { type: "array", minItems: 1, items: { type: "string" } } } })`: `{"a":0,"b":"https://","c":[""]}`,
		`sample({ $ref: "#/$defs/n", $defs: { n: { type: "object", properties: { next: { $ref: "#/$defs/n" }, id: { const: 7 } }, required: ["id", "next"] } } }).id`:                                    `7`,
		`sample(undefined)`: `{}`,
		`address({ channel: "a b", method: "GET", path: "/x/:id/y" }, { id: "1/2" }, "q=1")`: `"/v1/channels/a%20b/x/1%2F2/y?q=1"`,
		`address({ channel: "a", method: "POST", path: "/" })`:                               `"/v1/channels/a"`,
		`address({ channel: "a", method: "GET", path: "/x" }, {}, "q=[\"ä b\"]&r={1}#%41")`:  `"/v1/channels/a/x?q=%5B%22%C3%A4%20b%22%5D&r=%7B1%7D%23%41"`,
		`hasBody({ method: "DELETE" })`:                                                      `false`,
		`hasBody({ method: "DELETE", bodySchema: {} })`:                                      `true`,
		`params("/x/:id/y/:n_2")`:                                                            `["id","n_2"]`,
	} {
		l.want(expression, want)
	}
}

// "Copies curl": what a shell runs is what the page would send, and no token stands in it.
func TestCurl_Quotes(t *testing.T) {
	l := newLogic(t, "curl")
	l.want(`curl("GET", "http://x/a?b=1&c='")`, `"curl 'http://x/a?b=1&c='\\'''"`)
	l.want(`curl("POST", "http://x", '{"a":"it\'s"}', { token: true })`, `"curl -X POST 'http://x' \\\n  -H \"authorization: Bearer $BDK_TOKEN\" \\\n  -H 'content-type: application/json' \\\n  --data-raw '{\"a\":\"it'\\''s\"}'"`)
}

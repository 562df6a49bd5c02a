package transport

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/transport/markdown"
)

type agentRow struct {
	Slug        string `json:"slug"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	URL         string `json:"url"`
	// PlaygroundURL is empty where there is no playground.
	PlaygroundURL string `json:"playgroundUrl,omitempty"`
}

type agentsReply struct {
	OK     bool       `json:"ok"`
	Agents []agentRow `json:"agents"`
}

func (c *call) agentRows() []agentRow {
	rows := []agentRow{}
	for _, a := range c.h.host.Agents() {
		rows = append(rows, agentRow{Slug: a.Slug, Name: nameOf(a), Description: a.Description, URL: c.base(a.Slug), PlaygroundURL: c.playgroundURL(a.Slug, "")})
	}
	return rows
}

// agents lists the agents.
func (c *call) agents() error {
	return c.reply(http.StatusOK, agentsReply{OK: true, Agents: c.agentRows()})
}

// indexStyle is that of the pages which need no script: they look like the playground. Its
// first rules, up to the body's, are the values that the playground's have.
const indexStyle = `:root{--s1:4px;--s2:8px;--s3:12px;--s4:16px;--s5:24px;--s6:32px;--s7:48px;
--t-small:12px;--t-body:14px;--t-large:16px;--t-head:28px;--line:1.5;--radius:8px;--radius-small:5px;
--sans:ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
--mono:ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, monospace;
--page:#fbfbfa;--surface:#ffffff;--sunken:#f3f3f0;--edge:#dcdcd6;--edge-strong:#8c8c84;
--text:#1b1b19;--dim:#5d5d57;--accent:#3c4fcf;--on-accent:#ffffff}
@media (prefers-color-scheme: dark){:root{--page:#131312;--surface:#1b1b1a;--sunken:#232321;--edge:#363633;--edge-strong:#77776f;
--text:#ececea;--dim:#a8a8a0;--accent:#a3b0ff;--on-accent:#10131f}}
body{margin:0;font:var(--t-body)/var(--line) var(--sans);color:var(--text);background:var(--page);overflow-wrap:anywhere}
body>*{box-sizing:border-box;max-width:64rem;margin-left:auto;margin-right:auto;padding-left:var(--s4);padding-right:var(--s4)}
header{display:flex;flex-wrap:wrap;align-items:baseline;gap:var(--s2) var(--s4);margin-top:var(--s7);margin-bottom:var(--s5)}
h1{font-size:var(--t-head);line-height:1.25;margin:0}body>h1{margin-top:var(--s7);margin-bottom:var(--s2)}h2{font-size:var(--t-large);line-height:1.4;margin:0}p{margin:0}
a{color:var(--accent);text-underline-offset:2px}:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
nav,.row{display:flex;flex-wrap:wrap;align-items:center;gap:var(--s2) var(--s4)}nav{margin-left:auto}
main{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:var(--s4);padding-bottom:var(--s7)}
section{display:flex;flex-direction:column;gap:var(--s3);padding:var(--s5);background:var(--surface);border:1px solid var(--edge);border-radius:var(--radius)}
.about{flex:1}.dim{color:var(--dim)}.small{font-size:var(--t-small)}
a.main{display:inline-flex;align-items:center;min-height:var(--s6);padding:0 var(--s3);border-radius:var(--radius-small);background:var(--accent);color:var(--on-accent);text-decoration:none}
pre,code{font-family:var(--mono);font-size:var(--t-small)}summary{cursor:pointer;min-height:var(--s5)}
pre{margin:var(--s2) 0 0;padding:var(--s2) var(--s3);background:var(--sunken);border-radius:var(--radius-small);white-space:pre-wrap}
@media (max-width: 48rem){header{margin-top:var(--s5)}nav{margin-left:0}section{padding:var(--s4)}}`

var indexPage = template.Must(template.New("index").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Agents</title>
<style>{{.Style}}</style>
<header><h1>Agents</h1><p class="dim">{{len .Agents}} on this host</p>
<nav aria-label="This host">{{with .Docs}}<a href="{{.}}">Documentation</a>
{{end}}<a href="{{.List}}">This list as JSON</a></nav></header>
<main>
{{range .Agents}}<section aria-label="{{.Name}}">
<div class="row"><h2>{{.Name}}</h2><code class="dim">{{.Slug}}</code></div>
{{with .Description}}<p class="about">{{.}}</p>
{{end}}{{with .Facts}}<p class="small dim">{{.}}</p>
{{end}}<p class="row">{{with .PlaygroundURL}}<a class="main" href="{{.}}">Open the playground</a>
{{end}}<a href="{{.URL}}/v1/info">What it is made of, as JSON</a></p>
<details{{if eq (len $.Agents) 1}} open{{end}}><summary class="small dim">Call it with curl</summary>
<pre tabindex="0" aria-label="A request to it">curl -N {{.URL}}/v1/session \
  -H 'content-type: application/json' -H 'accept: application/x-ndjson' \
  -d '{"message":"What can you do?"}'</pre></details>
</section>
{{else}}<p>This host has no agents.</p>
{{end}}</main>
</html>
`))

// indexPolicy allows the page its own style and nothing else.
var indexPolicy = func() string {
	sum := sha256.Sum256([]byte(indexStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

// An indexRow is an agent on the index, with what it is made of for those who may know.
type indexRow struct {
	agentRow
	Facts string
}

// indexRows are the agents. Facts has who needs no token here: elsewhere the page tells
// what GET /v1/agents does.
func (c *call) indexRows() []indexRow {
	var rows []indexRow
	open := c.h.chain.open(c.r)
	for _, row := range c.agentRows() {
		row.Name, row.Description = markdown.Visible(row.Name), markdown.Visible(row.Description)
		facts := ""
		if a := c.h.host.Agent(row.Slug); open && a != nil && a.Auth == nil {
			facts = markdown.Visible(madeOf(a, c.h.host.ModelName(a)))
		}
		rows = append(rows, indexRow{row, facts})
	}
	return rows
}

// madeOf tells of an agent's parts in a line: "scripted · 3 tools · 1 skill".
func madeOf(a *agent.Agent, model string) string {
	all := []string{}
	if model != "" {
		all = append(all, model)
	}
	for _, part := range []struct {
		n    int
		name string
	}{{len(a.Tools), "tool"}, {len(a.Skills), "skill"}, {len(a.Subagents), "subagent"}, {len(a.Connections), "connection"}, {len(a.Schedules), "schedule"}} {
		switch {
		case part.n == 1:
			all = append(all, "1 "+part.name)
		case part.n > 1:
			all = append(all, fmt.Sprint(part.n, " ", part.name, "s"))
		}
	}
	return strings.Join(all, " · ")
}

// index lists the agents for people. The page holds no data and runs no script.
func (c *call) index() error {
	var page bytes.Buffer
	err := indexPage.Execute(&page, struct {
		Style      template.CSS
		Docs, List string
		Agents     []indexRow
	}{template.CSS(indexStyle), c.h.o.docsPath(), "/v1/agents", c.indexRows()})
	if err != nil {
		return fmt.Errorf("writing the index: %w", err)
	}
	c.page(http.StatusOK, indexPolicy, page.Bytes())
	return nil
}

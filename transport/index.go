package transport

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
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

const indexStyle = `body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:3rem auto;padding:0 1rem;color:#1c1c1c;background:#fdfdfc}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-bottom:.2rem}p{margin:.2rem 0}
pre{background:#f1f1ee;padding:.8rem;border-radius:.4rem;overflow-x:auto;font-size:.85rem}
@media(prefers-color-scheme:dark){body{color:#e8e8e6;background:#161616}pre{background:#242424}a{color:#8ab4f8}}`

var indexPage = template.Must(template.New("index").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Agents</title>
<style>{{.Style}}</style>
<h1>Agents</h1>
{{range .Agents}}<section>
<h2>{{.Name}}</h2>
{{with .Description}}<p>{{.}}</p>
{{end}}<p><a href="{{.URL}}/v1/info">{{.URL}}</a></p>
<pre>curl -N {{.URL}}/v1/session \
  -H 'content-type: application/json' -H 'accept: application/x-ndjson' \
  -d '{"message":"What can you do?"}'</pre>
</section>
{{else}}<p>This host has no agents.</p>
{{end}}</html>
`))

// indexPolicy allows the page its own style and nothing else.
var indexPolicy = func() string {
	sum := sha256.Sum256([]byte(indexStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

// index lists the agents for people. The page holds no data and runs no script.
func (c *call) index() error {
	var page bytes.Buffer
	err := indexPage.Execute(&page, struct {
		Style  template.CSS
		Agents []agentRow
	}{template.CSS(indexStyle), c.agentRows()})
	if err != nil {
		return fmt.Errorf("writing the index: %w", err)
	}
	h := c.w.Header()
	h.Set("Content-Security-Policy", indexPolicy)
	h.Set("Referrer-Policy", "no-referrer")
	c.send(http.StatusOK, []string{"text/html; charset=utf-8"}, page.Bytes())
	return nil
}

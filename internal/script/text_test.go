package script

import (
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

// "Cutting text in the middle of an emoji makes a lone surrogate": none leaves a VM,
// whichever way it takes, and what comes in with one does no harm.
func TestText_HalvesOfPairsDoNotLeaveTheVM(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"tools/x.ts": `
const half = "👩‍👧".slice(0, 1), cut = ("a".repeat(4) + "👩‍👧").slice(0, 5);
export default {
  needsApproval: () => false,
  async execute({ how, text }: any, ctx: any) {
    if (how === "echo") return { text, key: { [text]: 1 } };
    if (how === "throw") throw new Error("bad " + cut);
    if (how === "kv") { await ctx.host.kv.put("k" + half, { v: cut }); return ctx.host.kv.list({}); }
    if (how === "file") { await ctx.host.files.write("f", cut); return ctx.host.files.readText("f"); }
    if (how === "log") { console.log(cut, { half }); ctx.log.warn(cut); return "logged"; }
    if (how === "url") return new URL("http://a/?" + cut).href;
    if (how === "body") return await new Response(cut).text();
    if (how === "buffer") return [Buffer.from(cut).toString(), btoa(unescape(encodeURIComponent(cut.toWellFormed())))];
    return cut;
  },
};`})
	m := newMemory()
	bind := func(c *agent.Call) { c.KV, c.Files, c.Log = memoryKV{m}, memoryFiles{m}, loggerTo(p.log) }
	for args, want := range map[string]string{
		`{"how":"plain"}`:                   `"aaaa` + "\ufffd" + `"`,
		`{"how":"echo","text":"\ud83dx"}`:   `{"text":"` + "\ufffd" + `x","key":{"` + "\ufffd" + `x":1}}`,
		`{"how":"echo","text":"\\ud83d é"}`: `{"text":"\\ud83d é","key":{"\\ud83d é":1}}`,
		`{"how":"kv"}`:                      `{"entries":[{"key":"k` + "\ufffd" + `","value":{"v":"aaaa` + "\ufffd" + `"},"version":1}]}`,
		`{"how":"file"}`:                    `"aaaa` + "\ufffd" + `"`,
		`{"how":"log"}`:                     `"logged"`,
		`{"how":"url"}`:                     `"http://a/?aaaa%EF%BF%BD"`,
		`{"how":"body"}`:                    `"aaaa` + "\ufffd" + `"`,
		`{"how":"buffer"}`:                  `["aaaa` + "\ufffd" + `","YWFhYe+/vQ=="]`,
		`{"how":"throw"}`:                   "!bad aaaa\ufffd",
	} {
		out, err := p.call(OpExecute, "x", args, bind)
		if err != nil {
			out = "!" + err.Error()
		}
		if out != want {
			t.Errorf("%s:\n got %s\nwant %s", args, out, want)
		}
	}
	if text := p.log.String(); !strings.Contains(text, `"message":"aaaa`+"\ufffd") || strings.Contains(text, `\ud83d"`) && strings.Contains(text, `"message":"\ud83d`) {
		t.Errorf("the log has %s", text)
	}
	out, err := p.call(OpPrepare, "x", `{"how":"echo","text":"\ud83dx"}`)
	if err != nil || !strings.Contains(out, `"needsApproval":false`) {
		t.Errorf("%s %v", out, err)
	}
}

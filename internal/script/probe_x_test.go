package script

import (
	"os"
	"testing"
)

func TestProbeX(t *testing.T) {
	p := load(t, map[string]string{"tools/x.ts": os.Getenv("IMPORTS") + "\nexport default { async execute(input: any, ctx: any) { const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms)); try { " + os.Getenv("BODY") + "\n} catch (e: any) { return [e?.name, e?.message, e?.stack] } } }"})
	out, err := p.call(OpExecute, "x", "{}")
	t.Log(p.loaded("tools/x").Err, out, err, p.log)
}

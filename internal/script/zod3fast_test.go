package script

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
)

// zodRandom makes schemas and values by chance, and parses each value both ways.
const zodRandom = `import { z } from "zod";
let state = 0;
const chance = (n: number) => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return Math.floor((state / 2 ** 32) * n); };
const one = <T>(...list: (() => T)[]): T => list[chance(list.length)]();
const keys = ["a", "b", "c", "toString", "t"];

const leaf = (): any => one<any>(
  () => z.string(), () => z.string().min(chance(3)).max(2 + chance(4)), () => z.string().length(chance(4)), () => z.string().regex(/^[a-c]*$/), () => z.string().regex(/b/g),
  () => z.string().email(), () => z.string().url(), () => z.string().uuid(), () => z.string().trim(), () => z.string().toUpperCase().min(1), () => z.coerce.string(), () => z.string().describe("d"),
  () => z.number(), () => z.number().int().min(chance(5)), () => z.number().max(chance(5)), () => z.number().gt(1).lt(4), () => z.number().positive().finite(), () => z.number().multipleOf(2), () => z.coerce.number(),
  () => z.boolean(), () => z.null(), () => z.unknown(), () => z.any(), () => z.enum(["a", "b"]), () => z.literal("a"), () => z.literal(1), () => z.nativeEnum({ A: "a", B: 1 } as const), () => z.string().brand("x"),
);
const other = (): any => one<any>(() => z.string().transform((s) => s.length), () => z.number().refine((n) => n > 1), () => z.preprocess((x) => x, z.string()), () => z.date(), () => z.string().catch("c"), () => z.array(z.string()).readonly(), () => z.lazy(() => z.string()), () => z.string().pipe(z.string()));
const threw = { success: false };
const schema = (depth: number, plain: boolean): any => {
  if (depth <= 0) return leaf();
  if (!plain && chance(8) === 0) return other();
  const inner = () => schema(depth - 1, plain);
  const shape = () => Object.fromEntries(keys.filter(() => chance(2)).map((k) => [k, inner()]));
  return one<any>(
    leaf, () => inner().optional(), () => inner().nullable(), () => inner().default(value(2)), () => inner().default(undefined),
    () => z.array(inner()), () => z.array(inner()).min(chance(2)).max(1 + chance(3)), () => z.array(inner()).length(chance(3)), () => z.array(inner()).nonempty(),
    () => z.object(shape()), () => z.object(shape()).strict(), () => z.object(shape()).passthrough(), () => z.object(shape()).partial(),
    () => z.record(z.string(), inner()), () => z.record(z.string().min(2), inner()), () => z.union([inner(), inner()]), () => z.union([inner(), inner(), inner()]),
    () => z.discriminatedUnion("t", [z.object({ ...shape(), t: z.literal("a") }), z.object({ ...shape(), t: z.literal("b") }).strict()]), () => z.object({ a: inner(), b: inner().optional() }),
  );
};
function value(depth: number): any {
  const plain = () => one<any>(() => "", () => "a", () => "abc", () => " b ", () => "a@b.co", () => "http://a.b", () => "7f0d4d0a-6c9a-4f0e-9d0b-0a1b2c3d4e5f", () => chance(6), () => chance(6) / 2, () => -1, () => true, () => false, () => null);
  if (depth <= 0) return plain();
  return one<any>(plain, () => Array.from({ length: chance(4) }, () => value(depth - 1)), () => {
    const out: any = JSON.parse(chance(9) === 0 ? '{"__proto__":{"a":1}}' : "{}");
    for (const k of keys) if (chance(2)) out[k] = k === "t" && chance(2) ? ["a", "b"][chance(2)] : value(depth - 1);
    return out;
  });
}
// written tells undefined, absent and the order of keys apart.
const written = (x: any): string => x === undefined ? "undefined" : Array.isArray(x) ? "[" + x.map(written) + "]" : x !== null && typeof x === "object" ? "{" + Object.keys(x).map((k) => k + ":" + written(x[k])) + "}" : JSON.stringify(x);

export default { async execute({ seed, rounds }: any) {
  state = seed;
  const count = { schemas: 0, fast: 0, fits: 0, misses: 0 }, faults: string[] = [];
  for (let i = 0; i < rounds; i++) {
    const plain = chance(4) > 0, s = schema(3, plain), fast = (globalThis as any).__bdk.fastOf(s);
    count.schemas++;
    if (!fast) { if (plain) faults.push("a plain schema is not parsed fast: " + s._def.typeName); continue; }
    count.fast++;
    for (let k = 0; k < 8; k++) {
      const v = value(3), tried = (f: () => any) => { try { return f(); } catch { return threw; } };
      const got = tried(() => fast(v)), want = tried(() => s.safeParse(v)); // a coercion may throw
      if (got === threw || want === threw) { if (got !== want && !got?.miss) faults.push(s._def.typeName + ": only one of them throws"); continue; }
      const missed = got !== null && typeof got === "object" && got.miss === true;
      if (missed) count.misses++; else count.fits++;
      if (missed ? want.success : !want.success || written(got) !== written(want.data)) faults.push([s._def.typeName, written(v), missed ? "missed" : written(got), want.success ? written(want.data) : JSON.stringify(want.error.issues)].join(" | "));
    }
  }
  return { count, faults: faults.slice(0, 5) };
} };`

// Zod 3's own parse is the measure: what is parsed without it comes out the same,
// and nothing fits that does not fit there.
func TestZod3_FastParseIsZods(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"tools/x.ts": zodRandom}, withPackages(t, "zod3"))
	for _, seed := range []uint32{1, 2, rand.Uint32()} {
		out, err := p.call(OpExecute, "x", fmt.Sprintf(`{"seed":%d,"rounds":60}`, seed))
		var got struct {
			Count  struct{ Schemas, Fast, Fits, Misses int }
			Faults []string
		}
		if err != nil || json.Unmarshal([]byte(out), &got) != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, fault := range got.Faults {
			t.Errorf("seed %d: %s", seed, fault)
		}
		if c := got.Count; c.Fast < c.Schemas/2 || c.Fits < 10 || c.Misses < 50 {
			t.Errorf("seed %d: the test tells little: %+v", seed, c)
		}
	}
}

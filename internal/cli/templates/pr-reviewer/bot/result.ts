import { defineResult } from "@cursor/bdk";

// A review ends with its verdict, which callers get as data. What is no review may
// say what it likes.
export default defineResult({
  maxRepairs: 2,
  resolve({ text, turn }) {
    const verdict = /^Verdict: (.+?)\.?$/m.exec(text)?.[1];
    if (verdict !== undefined) return { result: { verdict, text } };
    if (/^review\b/i.test(turn.message)) return { retry: 'End with one line: "Verdict: " and a few words.' };
    return { result: { text } };
  },
});

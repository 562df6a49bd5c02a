import { defineResult } from "@cursor/bdk";

export default defineResult({
  resolve({ text }) {
    const verdict = /^(met|not met): (.+)$/m.exec(text);
    if (verdict === null) {
      return text.startsWith("I heard") ? { result: { verdict: "none" } } : { retry: "Begin with \"met: \" or \"not met: \" and the reason." };
    }
    return { result: { verdict: verdict[1], reason: verdict[2] } };
  },
  maxRepairs: 1,
});

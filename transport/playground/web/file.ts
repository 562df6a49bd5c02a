// Files of the host, which are asked for with the token: it stays in a header, so that no
// plain link can lead to them.
import { base, headers, refusal } from "./api.js";
import { say } from "./shell.js";

/** The bytes at a path below the agent's; no more than most, where that is given. */
export async function contents(path: string, most = 0, signal?: AbortSignal): Promise<Blob> {
  const r = await fetch(base + path, { headers: headers(most > 0 ? { range: `bytes=0-${most - 1}` } : {}), signal });
  if (r.status === 416) return new Blob(); // there are no bytes at all
  if (!r.ok) throw await refusal(r);
  return r.blob();
}

/** Saves what is at a path under a name. What the browser takes it for is given here, and
 *  never asked of the file. */
export async function save(path: string, name: string, type = "application/octet-stream"): Promise<void> {
  try {
    const url = URL.createObjectURL(new Blob([await contents(path)], { type }));
    const a = document.createElement("a");
    [a.href, a.download] = [url, name];
    a.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  } catch (e) {
    say(e);
  }
}

// What leaves the page: a line to the clipboard, a log as a file.
import { base, headers, path } from "../../api.js";
import { say } from "../../shell.js";

/** Whether the text is in the clipboard now. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Saves a session's events as NDJSON. The token stays in a header, so it is no plain link. */
export async function download(id: string): Promise<void> {
  try {
    const r = await fetch(base + path`/v1/session/${id}/events`, { headers: headers() });
    if (!r.ok) throw new Error((await r.json().catch(() => ({}))).message ?? `the host answered ${r.status}`);
    const url = URL.createObjectURL(new Blob([await r.blob()], { type: "application/x-ndjson" }));
    const a = document.createElement("a");
    [a.href, a.download] = [url, `${id}.ndjson`];
    a.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  } catch (e) {
    say(e);
  }
}

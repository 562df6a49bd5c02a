// What leaves the page: a line to the clipboard, a log as a file.
import { path } from "../../api.js";
import { save } from "../../file.js";

/** Whether the text is in the clipboard now. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Saves a session's events as NDJSON. */
export const download = (id: string): Promise<void> => save(path`/v1/session/${id}/events`, `${id}.ndjson`, "application/x-ndjson");

// The command line that does what the page does.
import { quote } from "../../curl.js";
import type { Selection } from "./types.js";

const word = (s: string): string => (/^[\w./:=@%+,-]+$/.test(s) ? s : quote(s));

/** A command that runs a selection on the host of a URL. A token never stands in it: bdk
 *  takes it from BDK_TOKEN. */
export function command(url: string, s: Selection, verbose: boolean): string {
  const ids = s.ids.map(word);
  return ["bdk eval", ...(ids.some((id) => id.startsWith("-")) ? [] : ids), `--url ${word(url)}`, ...s.tags.map((t) => `--tag=${word(t)}`), verbose && "--verbose", ids.some((id) => id.startsWith("-")) && `-- ${ids.join(" ")}`].filter(Boolean).join(" ");
}

// What a new session can be given besides its first message.
import { type Child, each, h, type Signal, signal } from "../../dom.js";
import { count, visible } from "../../format.js";

export interface Options {
  dryRun: Signal<boolean>;
  /** As the input has it: a local time, or "". */
  asOf: Signal<string>;
  files: Signal<{ path: string; text: string }[]>;
}

/** They stay while the page does, as the draft of the message. */
export const options: Options = { dryRun: signal(false), asOf: signal(""), files: signal<{ path: string; text: string }[]>([]) };

const mostBytes = 1 << 20;

/** Reads files as texts; what it does not take it says. */
export async function attach(list: Iterable<File>): Promise<string> {
  for (const f of list) {
    if (f.size > mostBytes) return `${f.name} has ${count(f.size)} bytes; at most 1 MiB can be added here`;
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(await f.arrayBuffer());
      if (text.includes("\0")) throw new Error();
      options.files.set([...options.files.peek().filter((x) => x.path !== f.name), { path: f.name, text }]);
    } catch {
      return `${f.name} is no text: only text files can be added here`;
    }
  }
  return "";
}

/** The fields of the body that starts a session. */
export function given(): Record<string, unknown> {
  const files = options.files.peek(), asOf = options.asOf.peek();
  return {
    ...(options.dryRun.peek() && { dryRun: true }),
    ...(asOf && { asOf: new Date(asOf).toISOString() }),
    ...(files.length > 0 && { workspaceFiles: Object.fromEntries(files.map((f) => [f.path, f.text])) }),
  };
}

export function clear(): void {
  options.dryRun.set(false);
  options.asOf.set("");
  options.files.set([]);
}

export function optionsBar(say: (text: string) => void): Child {
  const picker = h("input", { type: "file", multiple: true, hidden: true, "aria-label": "Workspace files", onchange: () => void attach((picker as HTMLInputElement).files ?? []).then(say).then(() => ((picker as HTMLInputElement).value = "")) });
  return h(
    "div",
    { class: "options" },
    h("label", { class: "check" }, h("input", { type: "checkbox", checked: () => options.dryRun(), onchange: (e: any) => options.dryRun.set(e.target.checked) }), "Dry run", h("span", { class: "dim small" }, "write tools are stubbed")),
    h("button", { type: "button", onclick: () => picker.click() }, "Add files"),
    picker,
    h("label", { class: "check", title: "What the session takes for now, in your time zone" }, "As of", h("input", { type: "datetime-local", step: "1", value: () => options.asOf(), onchange: (e: any) => options.asOf.set(e.target.value) })),
    each(() => options.files(), (f) => f.path, (f) => h("span", { class: "chip file" }, visible(f().path), h("button", { type: "button", class: "plain small", "aria-label": `Remove ${visible(f().path)}`, onclick: () => options.files.set(options.files.peek().filter((x) => x.path !== f().path)) }, "×"))),
  );
}

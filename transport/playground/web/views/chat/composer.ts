// Where people write.
import { type Child, cls, computed, h } from "../../dom.js";
import { visible } from "../../format.js";
import { customRoutes } from "../../routes.js";
import { info } from "../../shell.js";
import { type Completion, completion } from "./complete.js";
import type { Live } from "./live.js";
import { attach, optionsBar } from "./options.js";
import { commands, usage } from "./slash.js";
import { copy } from "./value.js";
import { type Said, Writer } from "./writer.js";

/** The composer of a session, or, without one, of a new session. */
export function composer(live: Live | undefined): HTMLElement {
  const list = computed(() => commands(customRoutes(info()?.channels))), w = new Writer(live, list);
  const busy = computed(() => Boolean(live && (live.version(), live.busy)));
  const completing = completion(w.text, list, (text) => (w.write(text), area.focus()));
  const area: HTMLTextAreaElement = field(w, completing);
  const files = (e: Event, list: FileList | undefined) => {
    if (live || !list?.length) return;
    e.preventDefault();
    void attach(list).then((fault) => w.tell(fault));
  };
  return h(
    "form",
    {
      class: "composer",
      onsubmit: (e: Event) => (e.preventDefault(), void sent(w)),
      onpaste: (e: ClipboardEvent) => files(e, e.clipboardData?.files),
      ondragover: (e: Event) => !live && e.preventDefault(),
      ondrop: (e: DragEvent) => files(e, e.dataTransfer?.files),
    },
    !live && optionsBar((text) => w.tell(text)),
    h("div", { class: "box" }, completing.list, h("label", { class: "sr", for: "message" }, "Message"), area),
    foot(w, busy),
  );
}

// The first message opens its session, whose composer takes the place of this one.
const sent = (w: Writer): Promise<void> => w.submit().then(() => document.getElementById("message")?.focus());

function field(w: Writer, completing: Completion): HTMLTextAreaElement {
  const area = h("textarea", {
    id: "message", rows: "1", placeholder: w.live ? "Write a message, or / for commands" : "Write the first message, or / for commands",
    "aria-autocomplete": "list", "aria-controls": "commands", "aria-haspopup": "listbox", "aria-activedescendant": completing.active, "aria-describedby": "composer-says",
    value: () => (grow(), w.text()),
    oninput: () => w.write(area.value),
    onkeydown: (e: KeyboardEvent) => {
      if (completing.key(e)) e.preventDefault();
      else if (e.key === "Enter" && !e.shiftKey && !e.isComposing) (e.preventDefault(), void sent(w));
    },
  }) as HTMLTextAreaElement;
  function grow(): void {
    queueMicrotask(() => {
      area.style.height = "auto";
      area.style.height = `${area.scrollHeight + 2}px`;
    });
  }
  return area;
}

function foot(w: Writer, busy: () => boolean): HTMLElement {
  const command = computed(() => (w.text().startsWith("/") ? w.commands().find((c) => w.text().startsWith(`/${c.name} `)) : undefined));
  const hint = computed((): Said => w.said() ?? {
    tone: "plain",
    text: command() ? usage(command()!) : busy() ? "Sending now stops the turn that runs." : "Enter sends, Shift+Enter begins a new line.",
  });
  return h(
    "div",
    { class: "composer-foot" },
    h("span", { id: "composer-says", role: "status", class: () => cls("says small", hint().tone === "bad" && "bad-text"), title: () => visible(hint().text) }, () => visible(hint().text)),
    copy(() => w.curl(), "Copy as curl", "curl"),
    h("button", { type: "button", class: "bad", hidden: () => !busy(), onclick: () => void w.stop() }, "Stop"),
    h("button", { type: "submit", class: "main send", disabled: () => w.sending() || w.text().trim() === "" }, () => (busy() && !w.text().startsWith("/") ? "Interrupt and send" : "Send")),
  );
}

/** What stands for the composer where nobody can write. */
export const closed = (live: Live, why: string): Child =>
  h("div", { class: "composer" }, h("div", { class: "composer-foot" }, h("span", { class: "says dim" }, why), h("button", { type: "button", class: "bad", hidden: () => (live.version(), !live.busy), onclick: () => void live.stop() }, "Stop")));

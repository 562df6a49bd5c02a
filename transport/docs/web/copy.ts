// A button on each piece of code that copies it; of a session of commands what is typed.
import { h } from "./dom.js";

export function copying(): void {
  for (const pre of document.querySelectorAll<HTMLElement>("figure.code pre")) {
    const button = h("button", { type: "button", class: "copy", "aria-label": "Copy the code", onclick: () => void copy(pre, button) }, "Copy");
    pre.parentElement!.append(button);
  }
}

async function copy(pre: HTMLElement, button: HTMLElement): Promise<void> {
  const text = pre.textContent ?? "";
  try {
    await navigator.clipboard.writeText(pre.classList.contains("language-console") ? typed(pre) : text);
    said(button, "Copied");
  } catch {
    getSelection()?.selectAllChildren(pre);
    said(button, "Selected");
  }
}

const typed = (pre: HTMLElement) =>
  [...pre.querySelector("code")!.childNodes]
    .filter((n) => !(n instanceof HTMLElement && /tok-(prompt|printed)/.test(n.className)))
    .map((n) => n.textContent)
    .join("");

function said(button: HTMLElement, text: string): void {
  button.textContent = text;
  setTimeout(() => (button.textContent = "Copy"), 1500);
}

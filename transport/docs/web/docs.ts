import "./docs.css";
import { contents } from "./contents.js";
import { copying } from "./copy.js";
import { finder, near } from "./finder.js";

document.querySelector(".find")?.replaceChildren(finder());
copying();
contents();
const missing = document.querySelector<HTMLElement>(".missing");
if (missing) near(missing).catch(() => {}); // the page has the list of pages without it

// On narrow screens the list of pages opens on demand.
const menu = document.querySelector<HTMLButtonElement>(".menu"), nav = document.getElementById("nav");
if (menu && nav) {
  menu.hidden = false;
  menu.addEventListener("click", () => menu.setAttribute("aria-expanded", String(nav.classList.toggle("open"))));
}
// The list of pages shows where one is.
document.querySelector("#nav [aria-current]")?.scrollIntoView({ block: "nearest" });

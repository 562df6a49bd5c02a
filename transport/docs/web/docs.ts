import "./docs.css";
import { contents } from "./contents.js";
import { copying } from "./copy.js";
import { finder } from "./finder.js";

document.querySelector(".find")?.replaceChildren(finder());
copying();
contents();

// On narrow screens the list of pages opens on demand.
const menu = document.querySelector<HTMLButtonElement>(".menu"), nav = document.getElementById("nav");
if (menu && nav) {
  menu.hidden = false;
  menu.addEventListener("click", () => menu.setAttribute("aria-expanded", String(nav.classList.toggle("open"))));
}

import "./style/main.css";
import { shell } from "./shell.js";

document.body.replaceChildren(shell());

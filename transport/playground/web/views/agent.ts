// What the agent is made of.
import { h } from "../dom.js";
import type { View } from "../shell.js";

export const agent: View = { name: "agent", title: "Agent", render: () => h("p", null, "…") };

// What was run: sessions and runs of evals, to be found again.
import type { View } from "../shell.js";
import { evalRuns } from "./runs/evals.js";
import { sessions } from "./runs/sessions.js";

export const runs: View = { name: "runs", title: "Runs", render: (id, query) => (id === "evals" ? evalRuns(query) : sessions(query)) };

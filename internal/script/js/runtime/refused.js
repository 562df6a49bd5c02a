// What a call is refused with, and how that is told to Go.
import { describe, issuesOf } from "./errors.js";
import { Error, stringify } from "./primordials.js";

// Refused marks what the caller sent, not what the project did, as the fault. where
// is the part of a request; empty for a tool's input.
export class Refused extends Error {
  constructor(issues, where = "") {
    super("invalid input");
    this.issues = issues;
    this.where = where;
  }
}

export const refusal = (e) =>
  "-" + (e instanceof Refused ? stringify({ kind: "input", where: e.where, issues: issuesOf(e.issues) }) : describe(e));

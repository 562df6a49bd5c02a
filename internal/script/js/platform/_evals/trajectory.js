// The assertions over what happened, of the whole case or of one turn. Each records
// what it found and lets the test go on; what it is given must make sense.
import { openRequests, ofType, subagentCalls } from "./happened.js";
import { mismatch, sure } from "./match.js";
import { eventMatcher, eventType, missing, present, subagentMatcher, toolMatcher, toolName } from "./matchers.js";
import { groupsOf, groupsOutOfOrder, outOfOrder } from "./order.js";
import { called, kindOf, show } from "./show.js";

const listed = (calls) => calls.map((c) => c.name).join(", ") || "none";
const namesOf = (calls) => [...new Set(calls.map((c) => c.name))];
const others = (calls) => (calls.length === 0 ? "no tool was called" : `called: ${namesOf(calls).join(", ")}`);

// problemOf says what keeps a turn from having succeeded; empty for nothing.
export function problemOf(turn) {
  switch (turn.status) {
    case "finished": return "";
    case "parked": return `turn ${turn.index} waits for an approval of ${openRequests(turn.events).map((e) => `${e.data.toolName} (${e.data.callId})`).join(", ") || "a call"}`;
    case "cancelled": return `turn ${turn.index} was cancelled${turn.error ? `: ${turn.error}` : ""}`;
  }
  return `turn ${turn.index} failed: ${turn.error || "no reason was given"}${turn.code ? ` (${turn.code})` : ""}`;
}

// trajectory gives the assertions of a scope: {record, turn, turns(), events(), calls()},
// where turn is the number of the one turn that it is, or undefined.
export function trajectory(scope) {
  const put = (name, args, found) => {
    const problem = found || (scope.turns().length === 0 ? "no message was sent" : ""); // what was not tried does not hold
    return scope.record.add(called(name, args), "gate", { score: problem === "", message: problem, turn: scope.turn });
  };
  const callsOf = (name) => scope.calls().filter((c) => c.name === name);
  return {
    succeeded: () => put("succeeded", [], unfinished(scope.turns())),
    parked: () => put("parked", [], unparked(scope.turns())),
    calledTool(name, matcher) {
      const wanted = toolMatcher("calledTool", matcher), calls = callsOf(toolName("calledTool", name));
      return put("calledTool", [name, matcher], missing(calls, wanted, `${name} was called`, others(scope.calls())));
    },
    notCalledTool(name, matcher) {
      const wanted = toolMatcher("notCalledTool", matcher), calls = callsOf(toolName("notCalledTool", name));
      return put("notCalledTool", [name, matcher], present(calls, wanted, `${name} was called`));
    },
    loadedSkill(name) {
      const loaded = ofType(scope.events(), "skill.loaded").map((e) => e.data.name);
      const held = loaded.includes(toolName("loadedSkill", name));
      return put("loadedSkill", [name], held ? "" : `the skill ${name} was not opened; opened: ${loaded.join(", ") || "none"}`);
    },
    toolOrder(names) {
      if (!Array.isArray(names) || names.length === 0) throw new TypeError(`toolOrder needs an array of names, not ${kindOf(names)}`);
      names.forEach((name) => toolName("toolOrder", name));
      return put("toolOrder", [names], outOfOrder(scope.calls().map((c) => c.name), names));
    },
    usedNoTools() {
      const calls = scope.calls();
      return put("usedNoTools", [], calls.length === 0 ? "" : `called: ${listed(calls)}`);
    },
    maxToolCalls(max) {
      if (!Number.isInteger(max) || max < 0) throw new TypeError(`maxToolCalls needs a whole number from 0, not ${kindOf(max)}`);
      const calls = scope.calls();
      return put("maxToolCalls", [max], calls.length <= max ? "" : `${calls.length === 1 ? "1 call" : `${calls.length} calls`}: ${listed(calls)}`);
    },
    noFailedActions() {
      const failed = scope.calls().filter((c) => c.status === "failed");
      return put("noFailedActions", [], failed.map((c) => `${c.name} failed: ${show(c.output)}`).join("; "));
    },
    calledSubagent(name, matcher) {
      const wanted = subagentMatcher("calledSubagent", matcher), all = subagentCalls(scope.events());
      const calls = all.filter((c) => c.name === toolName("calledSubagent", name));
      return put("calledSubagent", [name, matcher], missing(calls, wanted, `the subagent ${name} was called`, all.length > 0 ? `called: ${namesOf(all).join(", ")}` : ""));
    },
    ...ofEvents(scope, put),
  };
}

const unfinished = (turns) => turns.map(problemOf).filter(Boolean).join("; ");

function unparked(turns) {
  const last = turns.at(-1);
  return last === undefined || last.status === "parked" ? "" : `turn ${last.index} ${last.status === "finished" ? "ended" : last.status} without waiting for an approval`;
}

// ofEvents are the assertions over events.
function ofEvents(scope, put) {
  return {
    taggedArtifact(kind, predicate) {
      if (kind !== undefined) toolName("taggedArtifact", kind);
      if (predicate !== undefined && typeof predicate !== "function") throw new TypeError(`taggedArtifact takes a kind and a predicate, not ${kindOf(predicate)}`);
      const all = ofType(scope.events(), "artifact.tagged").map((e) => ({ artifact: e.data.artifact }));
      const mine = kind === undefined ? all : all.filter((a) => a.artifact.kind === kind);
      const kinds = all.map((a) => a.artifact.kind).join(", ");
      return put("taggedArtifact", [kind, predicate], missing(mine, predicate ? { artifact: predicate } : {}, kind === undefined ? "an artifact was tagged" : `an artifact of the kind ${kind} was tagged`, kinds ? `tagged: ${kinds}` : ""));
    },
    event(type, matcher) {
      const wanted = eventMatcher("event", matcher);
      return put("event", [type, matcher], missing(ofType(scope.events(), eventType("event", type)), wanted, `${type} happened`));
    },
    notEvent(type, matcher) {
      const wanted = eventMatcher("notEvent", matcher);
      return put("notEvent", [type, matcher], present(ofType(scope.events(), eventType("notEvent", type)), wanted, `${type} happened`));
    },
    eventOrder: (matchers) => put("eventOrder", [matchers], groupsOutOfOrder(scope.events(), groupsOf(matchers))),
    eventsSatisfy(label, predicate) {
      if (typeof label !== "string" || typeof predicate !== "function") throw new TypeError("eventsSatisfy needs a label and a predicate");
      return put("eventsSatisfy", [label], satisfied(predicate, scope.events()));
    },
  };
}

function satisfied(predicate, events) {
  const { miss, doubt } = sure(() => mismatch(predicate, events));
  return doubt ?? (miss && `the predicate refuses the ${events.length} events`);
}

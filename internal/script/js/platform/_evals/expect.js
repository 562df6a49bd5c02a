// Expectation builders: each gives {check, severity, label, evaluate}, and evaluate gives
// {score, message}, or a promise of it. What is built wrong throws at once.
import { difference, isThenable, tested } from "./match.js";
import { schemaOf } from "./schema.js";
import { called, kindOf, show } from "./show.js";

const expectation = (check, severity, args, evaluate) => Object.freeze({ check, severity, label: called(check, args), evaluate });
const held = (score, message) => ({ score, message: score ? "" : message });

// includes holds for a text that has another in it, or that fits an expression. Numbers
// and booleans count as their text.
export function includes(expected) {
  if (!(expected instanceof RegExp) && (typeof expected !== "string" || expected === "")) throw new TypeError(`includes needs a text or a regular expression, not ${kindOf(expected)}`);
  return expectation("includes", "gate", [expected], (value) => {
    const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
    if (typeof text !== "string") return held(false, `it is ${kindOf(value)}, and no text`);
    return held(expected instanceof RegExp ? tested(expected, text) : text.includes(expected), `it is ${show(value)}`);
  });
}

// equals holds for what is deeply the same.
export function equals(expected) {
  return expectation("equals", "gate", [expected], (value) => {
    const message = difference(expected, value);
    return held(message === "", message);
  });
}

// matches holds for what a schema takes.
export function matches(schema) {
  const issuesOf = schemaOf(schema);
  return expectation("matches", "gate", [], (value) => {
    const issues = issuesOf(value);
    return isThenable(issues) ? issues.then((text) => held(text === "", text)) : held(issues === "", issues);
  });
}

// satisfies holds for what a predicate accepts; one that throws does not.
export function satisfies(predicate, label) {
  if (typeof predicate !== "function") throw new TypeError(`satisfies needs a predicate, not ${kindOf(predicate)}`);
  if (label !== undefined && typeof label !== "string") throw new TypeError(`the label of satisfies is a text, not ${kindOf(label)}`);
  const told = (answer, value) => held(Boolean(answer), `the predicate gave ${show(answer)} for ${show(value)}`);
  const threw = (e) => held(false, `the predicate threw: ${e?.message ?? e}`);
  return expectation("satisfies", "gate", [label || predicate], (value) => {
    try {
      const answer = predicate(value);
      return isThenable(answer) ? answer.then((x) => told(x, value), threw) : told(answer, value);
    } catch (e) {
      return threw(e);
    }
  });
}

// similarity scores how near a text is.
export function similarity(expected) {
  if (typeof expected !== "string") throw new TypeError(`similarity needs a text, not ${kindOf(expected)}`);
  return expectation("similarity", "soft", [expected], (value) => {
    if (typeof value !== "string") return held(0, `it is ${kindOf(value)}, and no text`);
    const score = normalizedSimilarity(value, expected);
    return { score, message: score === 1 ? "" : `it is ${show(value)}` };
  });
}

// normalizedSimilarity is (n - d) / n: d is the least number of code points to insert,
// delete or replace (Levenshtein) that makes one text the other, n the number of code
// points of the longer one. White space at both ends is cut first; two empty texts give 1.
export function normalizedSimilarity(value, expected) {
  for (const x of [value, expected]) if (typeof x !== "string") throw new TypeError(`normalizedSimilarity needs two texts, not ${kindOf(x)}`);
  return __bdk.sync("eval.similarity", value.trim(), expected.trim());
}

// t.judge: models that grade, and that say so to the letter or not at all.
import { faulty } from "./case.js";
import { promptOf } from "./rubrics.js";
import { called, kindOf } from "./show.js";
import { verdictOf } from "./verdict.js";

const { sync, evals } = __bdk;

// bindJudge makes the judges of a case.
export function bindJudge(state) {
  const judge = { model: (prompt, options) => raw(state, prompt, options) };
  for (const name of ["factuality", "summarizes", "closedQA", "sql"]) judge[name] = (given, options) => grade(state, name, given, options);
  return judge;
}

// configOf lays the settings of a call over those of the case.
function configOf(state, name, given) {
  if (given.model !== undefined && (typeof given.model !== "string" || given.model === "")) throw new TypeError(`model of ${name} is the name of a model, not ${kindOf(given.model)}`);
  const config = { ...state.judgeConfig };
  for (const key of Object.keys(given)) if (given[key] !== undefined) config[key] = given[key];
  return config;
}

function optionsOf(name, options = {}) {
  if (options === null || typeof options !== "object" || Array.isArray(options)) throw new TypeError(`the options of ${name} are an object, such as { model: "…" }, not ${kindOf(options)}`);
  return options;
}

function grade(state, name, given, options) {
  const shown = `t.judge.${name}`;
  if (typeof given !== "string" || given.trim() === "") throw new TypeError(`${shown} needs a text to grade by, not ${kindOf(given)}`);
  const { on, ...rest } = optionsOf(shown, options), config = configOf(state, shown, rest);
  const text = textOf(shown, options !== undefined && Object.hasOwn(options, "on") ? on : state.reply());
  const label = called(`judge.${name}`, [given]);
  if (text.trim() === "") return state.record.add(label, "soft", { score: 0, message: "there is no text to grade, so no judge was asked" });
  return state.record.pend(label, "soft", graded(state, label, promptOf(name, given, text), config));
}

// textOf is what a judge reads of a value.
function textOf(name, value) {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  if (typeof value.then === "function") throw new TypeError(`on of ${name} is a promise: await it first`);
  return evals.encode(value, `on of ${name}`);
}

async function graded(state, label, prompt, config) {
  const { text, model } = await state.ask(prompt, config), verdict = verdictOf(text);
  if (typeof verdict === "string") throw faulty("judge", new Error(`${label}: ${model} gave no verdict: ${verdict}`));
  return { score: verdict.score, message: verdict.reason, judge: model };
}

// raw gives a reply as it is. Where there is none, the case fails whatever the test makes of it.
async function raw(state, prompt, options) {
  if (typeof prompt !== "string" || prompt.trim() === "") throw new TypeError(`t.judge.model needs a prompt, not ${kindOf(prompt)}`);
  const config = configOf(state, "t.judge.model", optionsOf("t.judge.model", options));
  try {
    return (await state.ask(prompt, config)).text;
  } catch (e) {
    if (e?.bdkFault === "judge") sync("eval.fault", state.id, "judge", evals.describe(e));
    throw e;
  }
}

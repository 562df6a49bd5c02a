// What a judge must answer, to the letter.
import { show } from "./show.js";

export const verdictForm =
  'Answer with exactly one JSON object and nothing before or after it: {"reason": "one or two sentences", "score": 0.5} — where score is a number from 0 to 1.';

const fenced = /^```json[ \t]*\r?\n([^]*?)\r?\n?```$/i;

// verdictOf reads a reply: {score, reason}, or a sentence that says why it is none. The
// whole reply, or the one ```json block that is all of it, is one JSON object with a
// score and a reason, and with nothing else.
export function verdictOf(reply) {
  const text = reply.trim();
  if (text === "") return "the reply is empty";
  const said = (why) => `${why}: ${show(text)}`;
  const json = fenced.exec(text)?.[1] ?? text;
  if (__bdk.sync("eval.json", json)) return said("the reply is not one JSON object");
  const verdict = JSON.parse(json);
  if (verdict === null || typeof verdict !== "object" || Array.isArray(verdict)) return said("the reply is not one JSON object");
  const { score, reason, ...more } = verdict, [other] = Object.keys(more);
  if (other !== undefined) return said(`the reply has ${JSON.stringify(other)} beside score and reason`);
  if (typeof score !== "number") return said("the reply has no number as its score");
  if (!(score >= 0 && score <= 1)) return said("the score of the reply is not from 0 to 1");
  if (typeof reason !== "string") return said("the reply has no text as its reason");
  return { score, reason };
}

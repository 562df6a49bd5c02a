// What a tool gave, held to its outputSchema. The schema describes the value: of
// a result in MCP's shape that is its structuredContent.
import { issuesOf, issuesText } from "./errors.js";
import { encode } from "./json.js";
import { Error, isArray, keys } from "./primordials.js";
import { validate } from "./schema.js";

// output goes on, by after, with a value's JSON; a failure that the tool reports itself passes.
export function output(call, result, after) {
  const { outputSchema } = call.tool;
  if (outputSchema === undefined || reportsFailure(result)) return encode(result);
  if (!isEnvelope(result)) return after(call, validate(outputSchema, result), (_, r) => encode(fitting(r)));
  if (result.structuredContent === undefined) throw unfit("the result has no structuredContent, which the tool's outputSchema asks for");
  return after(call, validate(outputSchema, result.structuredContent), (_, r) => encode({ ...result, structuredContent: fitting(r) }));
}

function fitting(r) {
  if (!r.issues) return r.value;
  throw unfit("the result does not fit outputSchema: " + issuesText(issuesOf(r.issues)));
}

function unfit(text) {
  const e = new Error(text);
  e.bdkCode = "invalid_output";
  return e;
}

const isObject = (r) => r !== null && typeof r === "object";
const reportsFailure = (r) => isObject(r) && isArray(r.content) && r.isError === true;

const envelopeKeys = { __proto__: null, content: 1, structuredContent: 1, isError: 1, _meta: 1 };
const partTypes = { __proto__: null, text: 1, image: 1, audio: 1, resource: 1, resource_link: 1 };

// isEnvelope knows MCP's shape: nothing but its fields, and parts of its types.
function isEnvelope(r) {
  if (!isObject(r) || !isArray(r.content)) return false;
  const names = keys(r);
  for (let i = 0; i < names.length; i++) if (envelopeKeys[names[i]] !== 1) return false;
  for (let i = 0; i < r.content.length; i++) if (!isObject(r.content[i]) || partTypes[r.content[i].type] !== 1) return false;
  return true;
}

// A turn as a test sees it: how it was when its send came back.
import { frozen, toolCalls } from "./happened.js";
import { problemOf, trajectory } from "./trajectory.js";

// turnOf makes the turn of what the host says, a JSON text.
export function turnOf(record, text) {
  const { sessionId, index, status, message, error, code, events } = frozen(JSON.parse(text));
  let calls;
  const callsOf = () => (calls ??= Object.freeze(toolCalls(events)));
  const facts = { sessionId, index, status, message, error, code, events };
  const turn = {
    message, sessionId, events, index,
    ok: status === "finished" || status === "parked",
    get toolCalls() { return callsOf(); },
    expectOk() {
      if (turn.ok) return turn;
      throw new Error(problemOf(facts));
    },
    ...trajectory({ record, turn: index, turns: () => [facts], events: () => events, calls: callsOf }),
  };
  return { facts, turn, callsOf };
}

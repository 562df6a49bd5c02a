// What the events of turns say: calls of tools and of subagents, requests, skills, artifacts.

const statusOf = ({ isError, code }) => (!isError ? "completed" : code === "denied" || code === "expired" ? "rejected" : "failed");

// toolCalls gives the calls that were asked for, in their order, with what came of each.
export function toolCalls(events) {
  const calls = [], byID = new Map();
  for (const { type, data } of events) {
    if (type === "actions.requested") {
      for (const { callId, toolName, args, parentCallId } of data.calls) {
        const call = { callId, name: toolName, input: args, output: undefined, status: "pending" };
        const parent = parentCallId ?? data.parentCallId;
        if (parent !== undefined) call.parentCallId = parent;
        byID.set(callId, call);
        calls.push(call);
      }
    }
    if (type === "action.result" && byID.has(data.callId)) answer(byID.get(data.callId), data);
  }
  return calls;
}

function answer(call, data) {
  call.output = data.output ?? null;
  call.status = statusOf(data);
  if (data.stubbed) call.stubbed = true;
}

// subagentCalls gives the work that was given to subagents.
export function subagentCalls(events) {
  const calls = [], byID = new Map();
  for (const { type, data } of events) {
    if (type === "subagent.called") {
      const call = { callId: data.callId, name: data.name, task: data.task, output: undefined, status: "pending" };
      byID.set(data.callId, call);
      calls.push(call);
    }
    if (type === "subagent.completed" && byID.has(data.callId)) answer(byID.get(data.callId), data);
  }
  return calls;
}

export const ofType = (events, type) => events.filter((e) => e.type === type);

// openRequests gives the requests that nobody has answered.
export function openRequests(events) {
  const answered = new Set(ofType(events, "input.resolved").map((e) => e.data.requestId));
  return ofType(events, "input.requested").filter((e) => !answered.has(e.data.requestId));
}

// frozen gives a value of which nothing can be changed; its depth costs no stack.
export function frozen(root) {
  const open = [root];
  for (let i = 0; i < open.length; i++) {
    const value = open[i];
    if (value === null || typeof value !== "object") continue;
    Object.freeze(value);
    for (const key in value) open.push(value[key]);
  }
  return root;
}

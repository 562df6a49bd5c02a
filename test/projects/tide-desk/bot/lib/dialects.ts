// The two ways in which A2A is spoken: 1.0, and 0.3, which many clients still send.
import type { State, Task } from "./tasks.js";

export interface Dialect {
  /** What a task looks like, and what wraps it as the result of a message. */
  task(task: Task): object;
  sent(task: Task): object;
  /** The events of a stream after its first, the task. */
  artifact(task: Task, part: Part): object;
  status(task: Task): object;
}

/** A part of the answer: it is added to what came before, or takes its place. */
export interface Part {
  text: string;
  append: boolean;
  last: boolean;
}

const answer = (task: Task, part: object) => ({ artifactId: "answer", parts: [part] });

const state = (s: State) => `TASK_STATE_${s.toUpperCase().replace("-", "_")}`;

export const v1: Dialect = {
  task: (t) => ({
    id: t.id,
    contextId: t.contextId,
    status: { state: state(t.state), timestamp: t.at },
    ...(t.text === undefined ? {} : { artifacts: [answer(t, { text: t.text })] }),
  }),
  sent: (t) => ({ task: v1.task(t) }),
  artifact: (t, p) => ({ artifactUpdate: { taskId: t.id, contextId: t.contextId, artifact: answer(t, { text: p.text }), append: p.append, lastChunk: p.last } }),
  status: (t) => ({ statusUpdate: { taskId: t.id, contextId: t.contextId, status: { state: state(t.state), timestamp: t.at } } }),
};

export const v03: Dialect = {
  task: (t) => ({
    kind: "task",
    id: t.id,
    contextId: t.contextId,
    status: { state: t.state, timestamp: t.at },
    ...(t.text === undefined ? {} : { artifacts: [answer(t, { kind: "text", text: t.text })] }),
  }),
  sent: (t) => v03.task(t),
  artifact: (t, p) => ({ kind: "artifact-update", taskId: t.id, contextId: t.contextId, artifact: answer(t, { kind: "text", text: p.text }), append: p.append, lastChunk: p.last }),
  status: (t) => ({ kind: "status-update", taskId: t.id, contextId: t.contextId, status: { state: t.state, timestamp: t.at }, final: true }),
};

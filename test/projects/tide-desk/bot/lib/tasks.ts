// What other agents asked for. A task is kept before its session runs, so that it can
// be asked for while it works and after a restart.
import { createHash } from "node:crypto";
import type { HostKvApi, Principal } from "@cursor/bdk";

export type State = "working" | "completed" | "failed" | "canceled" | "input-required";

export interface Task {
  id: string;
  contextId: string;
  sessionId: string;
  state: State;
  at: string;
  text?: string;
}

/** Only who asked for a task finds it. */
const keyOf = (who: Principal, id: string) => `task:${JSON.stringify([who.kind, who.id, who.issuer, who.tenant])}:${id}`;

const week = { ttlSeconds: 7 * 24 * 3600 };

/** The same message of the same caller is the same task. */
export const taskId = (who: Principal, messageId: string) =>
  createHash("sha256").update(keyOf(who, messageId)).digest("hex").slice(0, 32);

export const keep = (kv: HostKvApi, who: Principal, task: Task) => kv.put(keyOf(who, task.id), task, week);

export const find = (kv: HostKvApi, who: Principal, id: string) => kv.get<Task>(keyOf(who, id));

import type { HostKvApi } from "@cursor/bdk";

export interface Task {
  title: string;
  addedAt: string;
}

/** The tasks, the oldest first. */
export async function allTasks(kv: HostKvApi): Promise<Task[]> {
  return (await kv.get<Task[]>("tasks")) ?? [];
}

import type { HostKvApi } from "@cursor/bdk";

export interface Incident {
  service: string;
  status: "down" | "up";
  text: string;
  at: string;
}

const prefix = "incident:";

/** Keeps the newest state of a service, and gives the one before. */
export async function keep(kv: HostKvApi, incident: Incident): Promise<Incident | undefined> {
  const before = await kv.get<Incident>(prefix + incident.service);
  await kv.put(prefix + incident.service, incident);
  return before;
}

/** The newest state of each service. */
export async function all(kv: HostKvApi): Promise<Incident[]> {
  const { entries } = await kv.list<Incident>({ prefix, limit: 100 });
  return entries.map((entry) => entry.value);
}

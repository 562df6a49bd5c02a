// What waits for a warden, and what became of it.

export interface Repair {
  id: string;
  ticketId: string;
  place: string;
  status: "pending" | "approved" | "sent";
  chased?: boolean | undefined;
  warden?: string | undefined;
}

/** As much of the key-value store as is needed here. */
export interface Store {
  get(key: string): Promise<unknown>;
  put(key: string, value: unknown): Promise<void>;
  delete?(key: string): Promise<void>;
  update<T>(key: string, change: (before: T | undefined) => T): Promise<T>;
}

const ids = "repairs/ids";
const keyOf = (id: string) => `repairs/${id}`;

export const keep = (store: Store, repair: Repair) => store.put(keyOf(repair.id), repair);

export async function queue(store: Store, ticketId: string, place: string): Promise<Repair> {
  const all = await store.update<string[]>(ids, (before = []) => [...before, `R-${before.length + 1}`]);
  const repair: Repair = { id: all[all.length - 1] ?? "R-1", ticketId, place, status: "pending", warden: undefined };
  await keep(store, repair);
  return repair;
}

export async function pending(store: Store): Promise<Repair[]> {
  const all = ((await store.get(ids)) ?? []) as string[];
  const found = await Promise.all(all.map(async (id) => (await store.get(keyOf(id))) as Repair | undefined));
  return found.filter((r): r is Repair => r?.status === "pending");
}

/** Gives a repair to one warden alone, also where two ask at once. */
export async function approve(store: Store, id: string, warden: string): Promise<Repair | null> {
  let mine = false;
  const after = await store.update<Repair | null>(keyOf(id), (before) => {
    mine = before?.status === "pending";
    return before && mine ? { ...before, status: "approved", warden } : (before ?? null);
  });
  return mine ? after : null;
}

export type Preference = { topic: string; detail: string; savedAt: string };

const prefix = "предпочтение:";

/** Одна и та же тема, как бы её ни набрали: регистр, пробелы и составные буквы не важны. */
export const normalize = (topic: string) => topic.normalize("NFC").trim().toLocaleLowerCase("ru").replace(/\s+/gu, " ");

export const keyOf = (topic: string) => prefix + normalize(topic);

type Kv = {
  list(options: { prefix: string; limit?: number; cursor?: string }): Promise<{ entries: { key: string; value: unknown }[]; cursor?: string }>;
};

export async function all(kv: Kv): Promise<Preference[]> {
  const found: Preference[] = [];
  let cursor: string | undefined;
  do {
    const page = await kv.list({ prefix, limit: 50, cursor });
    found.push(...page.entries.map((e) => e.value as Preference));
    cursor = page.cursor;
  } while (cursor);
  return found.sort((a, b) => (a.topic < b.topic ? -1 : a.topic > b.topic ? 1 : 0));
}

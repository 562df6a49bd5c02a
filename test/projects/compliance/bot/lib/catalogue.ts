export type Control = { id: string; family: "access" | "logging" | "backup"; title: string; asks: string[] };

export const controls = [
  { id: "AC-1", family: "access", title: "Every person has an account of their own", asks: ["shared accounts"] },
  { id: "AC-2", family: "access", title: "Access ends with employment", asks: ["leavers", "review date"] },
  { id: "LO-1", family: "logging", title: "Sign-ins are logged", asks: ["log location"] },
  { id: "BA-1", family: "backup", title: "A backup was restored this year", asks: ["restore date", "who did it"] },
] as const satisfies readonly Control[];

export function find(id: string): Control {
  const found = controls.find((c) => c.id === id.toUpperCase());
  if (found === undefined) {
    throw new Error(`There is no control ${id}; there are ${controls.map((c) => c.id).join(", ")}`);
  }
  return { ...found, asks: [...found.asks] };
}

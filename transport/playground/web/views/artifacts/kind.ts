// How the contents of an artifact are shown: what could run is shown as its text, whatever
// it calls itself.
export type Shape = "image" | "markdown" | "json" | "text" | "none";

const images = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"]);
const texts = /^text\/|^application\/(xml|javascript|ecmascript|typescript|yaml|x-yaml|toml|x-sh|sql|x-ndjson|ndjson|jsonl|graphql|xhtml\+xml)$|\+xml$|\+yaml$|^image\/svg\+xml$/;
const names = /\.(txt|log|csv|tsv|ya?ml|toml|ini|xml|svg|html?|css|m?[jt]sx?|go|py|rb|rs|java|c|h|sh|sql|diff|patch|ndjson|jsonl)$/i;

/** The media type alone, in small letters. */
export const typeOf = (contentType?: string): string => (contentType ?? "").split(";")[0].trim().toLowerCase();

export function shape(contentType?: string, fileName = ""): Shape {
  const type = typeOf(contentType), plain = type === "" || type === "text/plain" || type === "application/octet-stream";
  if (images.has(type)) return "image";
  if (type === "text/markdown" || type === "text/x-markdown" || (plain && /\.(md|markdown)$/i.test(fileName))) return "markdown";
  if (type === "application/json" || type.endsWith("+json") || (plain && /\.json$/i.test(fileName))) return "json";
  return texts.test(type) || (plain && names.test(fileName)) ? "text" : "none";
}

/** A few letters that say what it is: MD, PNG, JSON; nothing but a sign for a record. */
export function badge(a: { hasContent: boolean; contentType?: string; fileName?: string }): string {
  if (!a.hasContent) return "{ }";
  const type = typeOf(a.contentType), end = /\.([a-z0-9]{1,4})$/i.exec(a.fileName ?? "")?.[1] ?? (type === "text/plain" ? "txt" : (type.split("/")[1] ?? "").split("+")[0].split(/[.-]/).pop()!);
  return end.toUpperCase().slice(0, 4) || "FILE";
}

export function bytes(n: number): string {
  const units = ["bytes", "KB", "MB", "GB"];
  let i = 0;
  while (n >= 1000 && i < units.length - 1) [n, i] = [n / 1000, i + 1];
  return `${i === 0 ? n : n.toFixed(n < 10 ? 1 : 0)} ${n === 1 && i === 0 ? "byte" : units[i]}`;
}

/** A name that a download may have: no folders, nothing hidden. */
export function fileName(name: string): string {
  const last = name.split(/[/\\]/).pop()!.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\p{Default_Ignorable_Code_Point}<>:"|?*]/gu, "_").replace(/^\.+/, "");
  return last.trim() || "artifact";
}

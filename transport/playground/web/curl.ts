// A request as a command for a shell. The token never stands in it: whoever runs it has it
// in a variable.
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export function curl(method: string, url: string, body?: string, more: { token?: boolean; type?: string } = {}): string {
  const parts = [`curl${method === "GET" ? "" : ` -X ${method}`} ${quote(url)}`];
  if (more.token) parts.push('-H "authorization: Bearer $BDK_TOKEN"');
  if (body !== undefined) parts.push(`-H ${quote(`content-type: ${more.type ?? "application/json"}`)}`, `--data-raw ${quote(body)}`);
  return parts.join(" \\\n  ");
}

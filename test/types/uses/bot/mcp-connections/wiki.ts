import { defineConnection } from "@cursor/bdk/connections";

const url = process.env.WIKI_URL;

export const local = defineConnection({ command: "wiki-mcp", args: ["--stdio"], env: { TOKEN: "${WIKI_TOKEN}" }, cwd: "." });

export default defineConnection(
  url
    ? { url, headers: { authorization: "Bearer ${WIKI_TOKEN}" }, description: "The wiki.", advertiseTools: true, tools: { deny: ["drop"] }, oauth: true }
    : { agent: "wiki", description: "The wiki's agent.", optional: true, needsApproval: { write: true }, effect: "read" },
);

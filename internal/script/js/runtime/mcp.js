// ctx.host.mcp: the agent's connections, those of host-connections included. What is
// called here is called by the author's code, and nobody is asked.
import { async, sync } from "./bridge.js";
import { encode } from "./json.js";
import { isArray, parse, String, TypeError } from "./primordials.js";

export function bindMcp(call) {
  return {
    // names lists the connections, sorted.
    names() { return parse(sync("mcp.names", call)); },
    // listTools gives [{name, description?, inputSchema, …}].
    async listTools(connection) { return parse(await async(call, "mcp.tools", String(connection))); },
    // callTool gives the result of the protocol: {content, structuredContent?, isError?}.
    async callTool(connection, tool, args) {
      if (args !== undefined && args !== null && (typeof args !== "object" || isArray(args))) throw new TypeError("callTool needs its arguments as an object");
      return parse(await async(call, "mcp.call", String(connection), String(tool), args ? encode(args, "the arguments") : "{}"));
    },
    // readResource gives {contents: [{uri, mimeType?, text?, blob?}]}.
    async readResource(connection, uri) { return parse(await async(call, "mcp.read", String(connection), String(uri))); },
  };
}

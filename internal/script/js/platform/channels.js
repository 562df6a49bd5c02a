export const defineChannel = (channel) => __bdk.mark("channel", channel);

// A route is data; the host decides what runs it.
const route = (method) => (path, options) => ({ method, path, ...(typeof options === "function" ? { handler: options } : options) });
export const GET = route("GET");
export const POST = route("POST");
export const PUT = route("PUT");
export const PATCH = route("PATCH");
export const DELETE = route("DELETE");

// Policies say who may call; they are data as well.
export const bearerAuth = (token, options) => ({ policy: "bearer", token, ...options });
export const jwtAuth = (options) => ({ policy: "jwt", ...options });
export const basicAuth = (options) => ({ policy: "basic", ...options });
export const apiKeyHeader = (header, key, options) => ({ policy: "apiKeyHeader", ...(typeof header === "object" ? header : { header, key, ...options }) });
export const localDevStrict = () => ({ policy: "localDevStrict" });
export const allowAll = () => ({ policy: "allowAll" });

export const defineChannel = (channel) => __bdk.mark("channel", channel);

// A route is data; the host decides what runs it.
const route = (method) => (path, options) => ({ method, path, ...(typeof options === "function" ? { handler: options } : options) });
export const GET = route("GET");
export const POST = route("POST");
export const PUT = route("PUT");
export const PATCH = route("PATCH");
export const DELETE = route("DELETE");

// Policies say who may call. What they are given stays with the runtime.
const { policy } = __bdk;
export const bearerAuth = policy("bearer");
export const jwtAuth = policy("jwt");
export const basicAuth = policy("basic");
export const apiKeyHeader = policy("apiKeyHeader");
export const localDevStrict = policy("localDevStrict");
export const allowAll = policy("allowAll");

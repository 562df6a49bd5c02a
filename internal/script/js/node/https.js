// node:https: the client side.
import { Agent as Base, client, createServer, Server } from "./_http.js";

export const { request, get } = client(true);
export class Agent extends Base {}
export const globalAgent = new Agent();
export { createServer, Server };
export default { request, get, Agent, globalAgent, createServer, Server };

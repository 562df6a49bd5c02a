// node:http: the client side.
import { Agent, client, ClientRequest, createServer, globalAgent, IncomingMessage, OutgoingMessage, Server, ServerResponse } from "./_http.js";
import { METHODS, STATUS_CODES, validateHeaderName, validateHeaderValue } from "./_httpnames.js";

export const { request, get } = client(false);
export const maxHeaderSize = 16384;
export { Agent, ClientRequest, createServer, globalAgent, IncomingMessage, METHODS, OutgoingMessage, Server, ServerResponse, STATUS_CODES, validateHeaderName, validateHeaderValue };
export default {
  request, get, maxHeaderSize, Agent, ClientRequest, createServer, globalAgent, IncomingMessage, METHODS, OutgoingMessage, Server, ServerResponse, STATUS_CODES,
  validateHeaderName, validateHeaderValue,
};

// The package undici speaks HTTP over sockets, which this runtime has not: its
// fetch is the global one, and the rest says so when it is used.
export const { fetch, Request, Response, Headers, FormData, File, CloseEvent, MessageEvent } = globalThis;

const refuse = (name) => { throw new Error(`undici's ${name} is not part of this runtime: use fetch; HTTPS_PROXY sets a proxy`); };
const refused = (name) => class { constructor() { refuse(name); } };
export const Client = refused("Client"), Pool = refused("Pool"), BalancedPool = refused("BalancedPool"), ProxyAgent = refused("ProxyAgent"), EnvHttpProxyAgent = refused("EnvHttpProxyAgent"), RetryAgent = refused("RetryAgent"), MockAgent = refused("MockAgent"), WebSocket = refused("WebSocket"), EventSource = refused("EventSource");
export class Dispatcher {}
export class Agent extends Dispatcher {}
export const request = () => refuse("request"), stream = () => refuse("stream"), pipeline = () => refuse("pipeline"), connect = () => refuse("connect"), upgrade = () => refuse("upgrade");
export const setGlobalDispatcher = () => refuse("setGlobalDispatcher");
export const getGlobalDispatcher = () => new Agent();
export const interceptors = {}, errors = {}, util = {};
export default { fetch, Request, Response, Headers, FormData, File, Agent, Dispatcher, request, stream, setGlobalDispatcher, getGlobalDispatcher };

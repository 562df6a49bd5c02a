// node:net: what it knows of addresses. Nothing is listened to, and nobody is connected to.
import { coded } from "./_errors.js";

const four = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
export const isIPv4 = (text) => four.test(String(text));
export const isIPv6 = (text) => six(String(text)) !== undefined;
export const isIP = (text) => (isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0);

const numberOf = (text) => text.split(".").reduce((n, part) => n * 256n + BigInt(part), 0n);

// six is the number of an IPv6 address; undefined where the text is none.
function six(text) {
  let address = text.replace(/%[0-9A-Za-z_.-]+$/, "");
  const last = address.slice(address.lastIndexOf(":") + 1);
  if (last.includes(".")) {
    if (!isIPv4(last)) return;
    const n = numberOf(last);
    address = address.slice(0, -last.length) + (n >> 16n).toString(16) + ":" + (n & 0xffffn).toString(16);
  }
  const halves = address.split("::"), words = halves.map((h) => (h === "" ? [] : h.split(":")));
  const count = words.flat().length;
  if (halves.length > 2 || (halves.length === 1 ? count !== 8 : count > 7) || !words.flat().every((w) => /^[0-9a-f]{1,4}$/i.test(w))) return;
  const all = halves.length === 1 ? words[0] : [...words[0], ...Array(8 - count).fill("0"), ...words[1]];
  return all.reduce((n, w) => n * 65536n + BigInt("0x" + w), 0n);
}

const families = { ipv4: 32n, ipv6: 128n };

function read(address, family = "ipv4") {
  if (address instanceof SocketAddress) return read(address.address, address.family);
  const kind = String(family).toLowerCase();
  if (!Object.hasOwn(families, kind)) throw coded(TypeError, "ERR_INVALID_ARG_VALUE", `The argument 'family' must be one of: 'ipv4', 'ipv6'. Received '${family}'`);
  const n = kind === "ipv4" ? (isIPv4(address) ? numberOf(address) : undefined) : six(String(address));
  if (n === undefined) throw coded(Error, "ERR_INVALID_ADDRESS", `Invalid address: ${address}`);
  return { kind, n };
}

export class SocketAddress {
  constructor({ address, family = "ipv4", port = 0, flowlabel = 0 } = {}) {
    this.address = address ?? (family === "ipv6" ? "::" : "127.0.0.1");
    read(this.address, family);
    Object.assign(this, { family, port, flowlabel });
  }
}

export class BlockList {
  #rules = [];
  addAddress(address, family) {
    const { kind, n } = read(address, family);
    this.#add(kind, n, n, `Address: ${named(kind)} ${address}`);
  }
  addRange(start, end, family) {
    const a = read(start, family), b = read(end, family);
    if (a.n > b.n) throw coded(TypeError, "ERR_INVALID_ARG_VALUE", "start must come before end");
    this.#add(a.kind, a.n, b.n, `Range: ${named(a.kind)} ${start}-${end}`);
  }
  addSubnet(net, prefix, family) {
    const { kind, n } = read(net, family), bits = families[kind];
    if (!Number.isInteger(prefix) || prefix < 0 || prefix > Number(bits)) throw coded(RangeError, "ERR_OUT_OF_RANGE", `The value of "prefix" is out of range. It must be >= 0 && <= ${bits}. Received ${prefix}`);
    const rest = (1n << (bits - BigInt(prefix))) - 1n;
    this.#add(kind, n & ~rest, n | rest, `Subnet: ${named(kind)} ${net}/${prefix}`);
  }
  #add(kind, from, to, text) { this.#rules.unshift({ kind, from, to, text }); }
  check(address, family = "ipv4") {
    let found;
    try {
      found = read(address, family);
    } catch (e) {
      if (e.code === "ERR_INVALID_ADDRESS") return false;
      throw e;
    }
    // An IPv6 address may hold one of IPv4.
    const inside = found.kind === "ipv6" && found.n >> 32n === 0xffffn ? found.n & 0xffffffffn : undefined;
    return this.#rules.some((r) => (r.kind === found.kind ? within(found.n, r) : inside !== undefined && r.kind === "ipv4" && within(inside, r)));
  }
  get rules() { return this.#rules.map((r) => r.text); }
}

const within = (n, r) => n >= r.from && n <= r.to;
const named = (kind) => (kind === "ipv4" ? "IPv4" : "IPv6");

const instead = "use the global fetch, or node:child_process for a tool that speaks the protocol";
const none = (what) => { throw new Error(`node:net ${what} is not part of this runtime: ${instead}`); };
export const connect = () => none("connect"), createConnection = () => none("createConnection"), createServer = () => none("createServer");
export class Socket { constructor() { none("Socket"); } }
export class Server { constructor() { none("Server"); } }
export const Stream = Socket;

export default { isIP, isIPv4, isIPv6, BlockList, SocketAddress, connect, createConnection, createServer, Socket, Server, Stream };

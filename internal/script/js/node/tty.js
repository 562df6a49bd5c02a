// node:tty: there is no terminal.
export const isatty = () => false;
const none = () => { throw new Error("node:tty has no terminal in this runtime"); };
export class ReadStream { constructor() { none(); } }
export class WriteStream { constructor() { none(); } }
export default { isatty, ReadStream, WriteStream };

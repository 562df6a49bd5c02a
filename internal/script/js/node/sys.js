// node:sys, the old name of node:util.
export * from "./util.js";
export { default } from "./util.js";

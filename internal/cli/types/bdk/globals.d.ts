// Globals of bdk that TypeScript's own libraries do not have, for a project
// without @types/node. `bdk validate --types` leaves them out where it has that.

declare var process: {
  env: Record<string, string | undefined>;
  cwd(): string;
  readonly platform: string;
  readonly version: string;
  readonly versions: Record<string, string | undefined>;
  argv: string[];
  exitCode?: number | string | null;
  hrtime: { (before?: [number, number]): [number, number]; bigint(): bigint };
  nextTick(callback: (...args: any[]) => void, ...args: any[]): void;
  [name: string]: any;
};

interface Buffer extends Uint8Array {
  toString(encoding?: string, start?: number, end?: number): string;
  equals(other: Uint8Array): boolean;
  [name: string]: any;
}

declare var Buffer: {
  from(value: string, encoding?: string): Buffer;
  from(value: ArrayLike<number> | ArrayBuffer | Iterable<number>): Buffer;
  alloc(size: number, fill?: string | number): Buffer;
  concat(list: readonly Uint8Array[], length?: number): Buffer;
  byteLength(value: string | ArrayBuffer | Uint8Array, encoding?: string): number;
  isBuffer(value: unknown): value is Buffer;
  [name: string]: any;
};

interface ImportMeta {
  url: string;
  readonly dirname: string;
  readonly filename: string;
}

// Modules of Node: any, without @types/node.
declare module "node:*";

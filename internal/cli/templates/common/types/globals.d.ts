// Globals of the host that TypeScript's own libraries do not have. With
// @types/node in the project this file can go.

declare var process: {
  env: Record<string, string | undefined>;
  cwd(): string;
  platform: string;
  argv: string[];
};

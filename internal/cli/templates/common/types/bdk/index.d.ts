// What a project's files import, for editors and tsc. The host answers these
// imports itself when it runs the project.

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };
export type JsonSchemaObject = { type?: string; [key: string]: unknown };

export interface ModelParam {
  id: string;
  value: string | number | boolean;
}

export interface AgentDefinition {
  /** "provider/name", or with settings. Left out: the first provider whose key is set, else the offline model. */
  model?: string | { id: string; params?: ModelParam[] };
  name?: string;
  description?: string;
  limits?: {
    maxSteps?: number;
    turnTimeoutMs?: number;
    maxOutputTokens?: number;
    maxTurnUsd?: number;
    maxSessionUsd?: number;
    maxSessionTokens?: number;
  };
  concurrency?: { maxRunningTurns?: number };
  approvals?: { timeoutMs?: number };
  [field: string]: unknown;
}

export declare function defineAgent(agent: AgentDefinition): AgentDefinition;

export interface InstructionsDefinition {
  markdown: string;
}

export declare function defineInstructions(instructions: InstructionsDefinition): InstructionsDefinition;

/** Takes the common indent and the outer blank lines from a text. */
export declare function prompt(strings: TemplateStringsArray, ...values: unknown[]): string;

export * from "./tools";

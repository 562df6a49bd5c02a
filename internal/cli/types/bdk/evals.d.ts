// @cursor/bdk/evals: evals/**/*.eval.ts and evals/evals.config.ts.

/// <reference path="./globals.d.ts" />

import type { SessionEvent, SessionEventOf, SessionEventType } from "./_events.js";
import type { WorkspaceFiles } from "./_host.js";
import type { JsonValue, Schema, StandardSchema } from "./_json.js";

/** A literal, a regular expression for a text, a predicate, or an object of such that must all fit. */
export type Matcher = string | number | boolean | null | undefined | RegExp | ((value: any) => boolean) | Matcher[] | { [key: string]: Matcher };

export interface ToolMatcher {
  input?: Matcher;
  output?: Matcher;
  status?: "completed" | "failed" | "pending" | "rejected";
  count?: number;
}

export interface SubagentMatcher {
  output?: Matcher;
  status?: "completed" | "failed" | "pending" | "rejected";
  count?: number;
  callId?: string;
}

export interface EventMatcher {
  data?: Matcher;
  count?: number;
}

/** How much a miss matters. */
export interface Severity {
  /** A miss fails the case. */
  gate(threshold?: number): Severity;
  /** The value is recorded, and a miss fails nothing. */
  soft(threshold?: number): Severity;
  /** A miss makes the case scored. */
  atLeast(threshold: number): Severity;
}

/** What a value is held against; made by includes, equals, matches, satisfies and similarity. */
export interface Expectation {
  readonly check: string;
}

/** The value has the text, or fits the expression. */
export declare function includes(expected: string | RegExp): Expectation;
/** The value is deeply the same. */
export declare function equals(expected: unknown): Expectation;
/** The schema takes the value. */
export declare function matches(schema: StandardSchema | Schema): Expectation;
/** The predicate accepts the value. */
export declare function satisfies(predicate: (value: any) => boolean | Promise<boolean>, label: string): Expectation;
/** How near the text is, from 0 to 1; a soft score. */
export declare function similarity(expected: string): Expectation;
/** The value that similarity uses. */
export declare function normalizedSimilarity(value: string, expected: string): number;

export interface ToolCall {
  callId: string;
  name: string;
  input?: any;
  output?: any;
  status: "completed" | "failed" | "pending" | "rejected";
}

/** Each records what it found and lets the test go on. */
export interface Assertions {
  /** Ended without a failure or an approval that nobody answered. */
  succeeded(): Severity;
  /** Stopped at an approval that nobody answered. */
  parked(): Severity;
  calledTool(name: string, matcher?: ToolMatcher): Severity;
  notCalledTool(name: string, matcher?: ToolMatcher): Severity;
  loadedSkill(name: string): Severity;
  /** The calls came in this order, others between them or not. */
  toolOrder(names: string[]): Severity;
  usedNoTools(): Severity;
  maxToolCalls(max: number): Severity;
  noFailedActions(): Severity;
  calledSubagent(name: string, matcher?: SubagentMatcher): Severity;
  taggedArtifact(kind?: string, predicate?: (artifact: any) => boolean): Severity;
  event(type: SessionEventType, matcher?: EventMatcher): Severity;
  notEvent(type: SessionEventType, matcher?: EventMatcher): Severity;
  eventOrder(matchers: (SessionEventType | ({ type: SessionEventType } & EventMatcher))[]): Severity;
  eventsSatisfy(label: string, predicate: (events: SessionEvent[]) => boolean): Severity;
}

/** One turn that has ended or is parked; its assertions look at this turn alone. */
export interface EvalTurn extends Assertions {
  /** The assistant's message. */
  readonly message: string;
  readonly sessionId: string;
  readonly events: SessionEvent[];
  readonly toolCalls: ToolCall[];
  readonly ok: boolean;
  /** From 1. */
  readonly index: number;
  /** Throws when the turn failed. */
  expectOk(): EvalTurn;
}

/** A model that grades, from 0 to 1. Each grades the reply; { on } is another value. */
export interface Judge {
  factuality(expected: string, options?: JudgeOptions): Severity;
  summarizes(expected: string, options?: JudgeOptions): Severity;
  closedQA(criterion: string, options?: JudgeOptions): Severity;
  sql(expected: string, options?: JudgeOptions): Severity;
  /** The reply of the judge's model as it is. */
  model(prompt: string, options?: JudgeConfig): Promise<string>;
}

export interface JudgeConfig {
  model?: string;
  [setting: string]: any;
}

export interface JudgeOptions extends JudgeConfig {
  on?: unknown;
}

export interface EvalTest extends Assertions {
  /** Runs one turn; several share the session. Options shape the session, so they go with the first. */
  send(message: string, options?: { workspaceFiles?: WorkspaceFiles; workspaceDir?: string }): Promise<EvalTurn>;
  readonly reply: string;
  readonly events: SessionEvent[];
  readonly turns: EvalTurn[];
  readonly sessionId: string;
  readonly iteration: number;
  readonly iterations: number;
  /** Ends with the case's time. */
  readonly signal: AbortSignal;
  readonly judge: Judge;
  check(value: unknown, expectation: Expectation): Severity;
  /** Records a score from 0 to 1. */
  score(name: string, value: number): Severity;
  /** Each ends the test where nothing fits, and gives what does. */
  requireToolCall(name: string, matcher?: ToolMatcher): ToolCall;
  requireInputRequest(matcher?: EventMatcher): SessionEventOf<"input.requested">;
  require<T>(value: T, expectation?: Expectation): NonNullable<T>;
}

export interface EvalReporter {
  onRunStart?(run: any): unknown;
  onEvalComplete?(result: EvalResult): unknown;
  onRunComplete?(summary: any): unknown;
}

export interface EvalResult {
  id: string;
  verdict: "passed" | "failed" | "scored" | "skipped";
  assertions: any[];
  sessionId?: string;
  metadata?: Record<string, JsonValue>;
  tags?: string[];
  [field: string]: any;
}

interface CaseCommon {
  description?: string;
  tags?: string[];
  timeoutMs?: number;
  /** From 1 to 100. */
  iterations?: number;
  judge?: JudgeConfig;
  reporters?: EvalReporter[];
  metadata?: Record<string, JsonValue>;
}

export interface EvalCase extends CaseCommon {
  /** One segment of a path, unique in its file. */
  id: string;
  test(t: EvalTest): unknown;
}

/** One test, or cases. */
export type EvalConfig =
  | (CaseCommon & { test(t: EvalTest): unknown; cases?: undefined })
  | (CaseCommon & { cases: EvalCase[]; test?: undefined });

export type EvalDefinition = EvalConfig;

export declare function defineEval(evaluation: EvalConfig): EvalDefinition;

export interface EvalsConfig {
  /** How many run at once, from 1 to 200. */
  maxConcurrency: number;
  timeoutMs?: number;
  judge?: JudgeConfig;
  reporters?: EvalReporter[];
  /** Runs that the playground remembers. Left out: 20. */
  maxPlaygroundRuns?: number;
}

export declare function defineEvalConfig(config: EvalsConfig): EvalsConfig;

export declare function JUnit(options: { filePath: string; suiteName?: string }): EvalReporter;
export declare function Artifacts(options: { dir: string }): EvalReporter;

/** Puts a text that is not to be trusted between marks, for a prompt of a judge. */
export declare function fenceUntrusted(text: string): string;
/** Belongs into a judge's prompt with what fenceUntrusted made. */
export declare const EVAL_JUDGE_INJECTION_GUARD: string;

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

/** What an expectation finds: a score from 0 to 1, or whether it holds, and what is there instead. */
export interface Finding {
  score: number | boolean;
  message?: string;
}

/** What a value is held against; made by includes, equals, matches, satisfies and similarity. */
export interface Expectation {
  readonly check: string;
  /** How much a miss matters where the handle says nothing else. */
  readonly severity: "gate" | "soft";
  /** As it reads in a report. */
  readonly label: string;
  evaluate(value: any): Finding | Promise<Finding>;
}

/** The text has the other text in it, or fits the expression. Numbers and booleans count as their text. An empty text is refused. */
export declare function includes(expected: string | RegExp): Expectation;
/** The value is deeply and fully the same; NaN is NaN, -0 is 0, and null is not missing. */
export declare function equals(expected: unknown): Expectation;
/** The schema takes the value: one of Zod 3 or 4, of another library with Standard Schema, or a JSON Schema. */
export declare function matches(schema: StandardSchema | Schema): Expectation;
/** The predicate accepts the value. One that throws does not. */
export declare function satisfies(predicate: (value: any) => unknown, label: string): Expectation;
/** How near the text is, from 0 to 1: the value of normalizedSimilarity, as a soft score. */
export declare function similarity(expected: string): Expectation;
/**
 * (n - d) / n, where n is the number of Unicode code points of the longer text, and d the least number of code
 * points to insert, delete or replace (Levenshtein) that makes one text the other. White space at both ends is cut
 * first. Two empty texts give 1. Letter case counts. Texts have at most 100,000 code points.
 */
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

/**
 * Models that grade, from 0 to 1; a score is soft until the handle says otherwise. Each grades t.reply, or the value
 * of { on }: an empty one scores 0 and no judge is asked. A judge that cannot be asked, or gives no verdict to the
 * letter, fails the case.
 */
export interface Judge {
  /** Says the facts of the reference, and contradicts none. */
  factuality(expected: string, options?: JudgeOptions): Severity;
  /** Summarizes the reference: keeps what matters, adds nothing. */
  summarizes(expected: string, options?: JudgeOptions): Severity;
  /** Meets the criterion: 1 or 0. */
  closedQA(criterion: string, options?: JudgeOptions): Severity;
  /** Is a query that gives the same rows as the reference. */
  sql(expected: string, options?: JudgeOptions): Severity;
  /** The reply of the judge's model as it is. Fence what is not to be trusted, with fenceUntrusted. */
  model(prompt: string, options?: JudgeConfig): Promise<string>;
}

/** The judge's model and settings of it. Those of a call lie over those of the case, or else of its file, or else of the config. */
export interface JudgeConfig {
  model?: string;
  [setting: string]: any;
}

export interface JudgeOptions extends JudgeConfig {
  /** What is graded in the place of t.reply; what is no text is graded as JSON. */
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

/** Writes a JUnit report; the path is absolute, or relative to the project. */
export declare function JUnit(options: { filePath: string; suiteName?: string }): EvalReporter;
/** Writes what a run leaves into a folder; the path is absolute, or relative to the project. */
export declare function Artifacts(options: { dir: string }): EvalReporter;

/** Puts a text that is not to be trusted between two marks that nobody can guess, for a prompt of a judge. */
export declare function fenceUntrusted(text: string): string;
/** Tells a judge what the marks of fenceUntrusted mean; belongs into each prompt with one. */
export declare const EVAL_JUDGE_INJECTION_GUARD: string;

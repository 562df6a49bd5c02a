// @cursor/bdk/evals: evals/**/*.eval.ts and evals/evals.config.ts.

/// <reference path="./globals.d.ts" />

import type { SessionEvent, SessionEventOf, SessionEventType } from "./_events.js";
import type { WorkspaceFiles } from "./_host.js";
import type { JsonValue, Schema, StandardSchema } from "./_json.js";

/**
 * A literal, a regular expression for a text (or a number or boolean, as its text), a predicate that answers at once,
 * an expectation such as includes("x"), or an object or array of such that must all fit. An object may have more than
 * is asked for; an array has as many items. null is not missing, NaN is NaN, -0 is 0.
 */
export type Matcher = string | number | boolean | null | undefined | bigint | RegExp | Date | ((value: any) => unknown) | Expectation | Matcher[] | { [key: string]: Matcher };

/** How often: so many times, or as the predicate wants. Left out: once or more. */
export type Count = number | ((count: number) => unknown);

/** Denied and expired calls are rejected, cancelled ones failed, those without a result pending. */
export type CallStatus = "completed" | "failed" | "pending" | "rejected";

export interface ToolMatcher {
  /** As the model sent it. */
  input?: Matcher;
  /** What the tool returned, or the text of its failure. */
  output?: Matcher;
  status?: CallStatus | RegExp | ((status: CallStatus) => unknown);
  count?: Count;
}

export interface SubagentMatcher {
  output?: Matcher;
  status?: CallStatus | RegExp | ((status: CallStatus) => unknown);
  count?: Count;
  callId?: string | RegExp | ((callId: string) => unknown);
}

export interface EventMatcher {
  data?: Matcher;
  count?: Count;
}

/** A matcher of the event, or of the fields of its data. */
export type InputRequestMatcher = EventMatcher | { toolName?: Matcher; callId?: Matcher; args?: Matcher; requestId?: Matcher; kind?: Matcher; count?: Count };

/** How much a miss matters: the last call on it holds. A miss is a score below the threshold, 1 where it is left out. */
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

/** A call that the agent, or a subagent of it, asked for. */
export interface ToolCall {
  readonly callId: string;
  readonly name: string;
  /** Missing where the model sent no object. */
  readonly input?: any;
  /** Missing while there is none. */
  readonly output?: any;
  readonly status: CallStatus;
  /** A stub answered. */
  readonly stubbed?: boolean;
  /** The call of the subagent that it is part of. */
  readonly parentCallId?: string;
}

/**
 * Each records what it found and lets the test go on. Calls of subagents count. A predicate that throws holds neither
 * in an assertion nor in its opposite; what makes no sense, such as an unknown type of event, throws.
 */
export interface Assertions {
  /** Every turn ended without a failure or an approval that nobody answered. */
  succeeded(): Severity;
  /** The last turn stopped at an approval that nobody answered. */
  parked(): Severity;
  calledTool(name: string, matcher?: ToolMatcher): Severity;
  /** What calledTool would find is not there. */
  notCalledTool(name: string, matcher?: ToolMatcher): Severity;
  loadedSkill(name: string): Severity;
  /** The calls came in this order, others between them or not. */
  toolOrder(names: string[]): Severity;
  usedNoTools(): Severity;
  /** So many calls or fewer. */
  maxToolCalls(max: number): Severity;
  /** No result of a tool is a failure; one that a person refused is none. */
  noFailedActions(): Severity;
  calledSubagent(name: string, matcher?: SubagentMatcher): Severity;
  taggedArtifact(kind?: string, predicate?: (artifact: any) => boolean): Severity;
  event(type: SessionEventType, matcher?: EventMatcher): Severity;
  notEvent(type: SessionEventType, matcher?: EventMatcher): Severity;
  /** They came in this order, others between them or not; those of an inner array in any order among themselves. */
  eventOrder(matchers: (OrderedEvent | OrderedEvent[])[]): Severity;
  eventsSatisfy(label: string, predicate: (events: SessionEvent[]) => unknown): Severity;
}

/** A type, or a matcher with how many such events belong together. Left out: one. */
export type OrderedEvent = SessionEventType | { type: SessionEventType; data?: Matcher; count?: number };

/** One turn, as it was when it ended or was parked; its assertions look at this turn alone. */
export interface EvalTurn extends Assertions {
  /** The assistant's message. */
  readonly message: string;
  readonly sessionId: string;
  readonly events: SessionEvent[];
  readonly toolCalls: readonly ToolCall[];
  /** It did not fail, and was not cancelled. One that waits for an approval is ok. */
  readonly ok: boolean;
  /** From 1. */
  readonly index: number;
  /** Throws when the turn is not ok. */
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

/** Answers in the place of tools, by their names: a value that JSON has, or a function of the parsed input. One that throws is the tool's failure. */
export type Stubs = { [tool: string]: JsonValue | ((input: any) => unknown) };

/** They shape the session, so they go with the first message. */
export interface SendOptions {
  workspaceFiles?: WorkspaceFiles;
  /** An absolute path, in the place of a workspace of the session's own. */
  workspaceDir?: string;
  /** Tool by tool they take the place of those of the case, and of the eval. */
  stubs?: Stubs;
}

export interface EvalTest extends Assertions {
  /** Runs one turn, to its end or to an approval that it waits for; several share the session. */
  send(message: string, options?: SendOptions): Promise<EvalTurn>;
  /** Approves the call that waits, and lets the turn go on. Several wait: their ids tell them apart. */
  approve(callId?: string): Promise<EvalTurn>;
  /** Refuses it. */
  deny(reason?: string, callId?: string): Promise<EvalTurn>;
  /** The message of the last turn. */
  readonly reply: string;
  readonly events: SessionEvent[];
  readonly turns: EvalTurn[];
  readonly toolCalls: readonly ToolCall[];
  /** Empty before the first message. */
  readonly sessionId: string;
  readonly iteration: number;
  readonly iterations: number;
  /** Ends with the case's time. */
  readonly signal: AbortSignal;
  readonly judge: Judge;
  /** Adds a line to the logs of the result. */
  log(...values: unknown[]): void;
  /** Ends the test, whose case is skipped; a gate that was missed before still fails it. */
  skip(reason?: string): never;
  /** The value, or what its promise gives. */
  check(value: unknown, expectation: Expectation): Severity;
  /** Records a score from 0 to 1. */
  score(name: string, value: number): Severity;
  /** Each ends the test where nothing fits, and gives what does. */
  requireToolCall(name: string, matcher?: ToolMatcher): ToolCall;
  requireInputRequest(matcher?: InputRequestMatcher): SessionEventOf<"input.requested">;
  /** Without an expectation: neither null nor undefined. */
  require<T>(value: T, expectation?: Expectation): NonNullable<T>;
}

export interface EvalReporter {
  onRunStart?(run: any): unknown;
  onEvalComplete?(result: EvalResult): unknown;
  onRunComplete?(summary: any): unknown;
}

export interface EvalAssertion {
  /** The call as it reads. */
  name: string;
  severity: "gate" | "soft" | "atLeast";
  threshold: number;
  score: number;
  passed: boolean;
  /** What was found instead, or a judge's reason. */
  message?: string;
  /** The turn that it looked at, from 1; left out: the whole case. */
  turn?: number;
  /** The model that graded. */
  judge?: string;
  /** file:line:column. */
  place?: string;
}

export interface EvalResult {
  id: string;
  file: string;
  description?: string;
  verdict: "passed" | "failed" | "scored" | "skipped";
  assertions: EvalAssertion[];
  sessionId?: string;
  iteration: number;
  iterations: number;
  inputs: string[];
  finalText: string;
  /** The names of the tools that were called, each once. */
  tools: string[];
  toolCalls: any[];
  metrics: Record<string, any>;
  logs: string[];
  startedAt: string;
  durationMs: number;
  metadata?: Record<string, JsonValue>;
  tags: string[];
  /** Why the case failed where no assertion tells. */
  error?: { kind: "test" | "judge" | "turn" | "timeout" | "load" | "host" | "stopped"; message: string; place?: string; stack?: string };
  skipReason?: string;
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
  stubs?: Stubs;
  /** The recording that the case was made from: a session's id, or a file of the project. */
  replay?: string;
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

// What the host's eval routes answer.
import type { Usage } from "../../format.js";

export type Verdict = "passed" | "failed" | "scored" | "skipped";

export interface Case {
  id: string;
  file: string;
  description?: string;
  tags: string[];
  iteration: number;
  iterations: number;
  timeoutMs: number;
  metadata?: Record<string, unknown>;
  replay?: string;
}

export interface Diagnostic {
  rule: string;
  severity: string;
  file?: string;
  line?: number;
  column?: number;
  message: string;
  fix?: string;
}

export interface Listing {
  agent: string;
  /** Null where none holds: then nothing can run. */
  config: { maxConcurrency: number; timeoutMs: number; judgeModel?: string; reporters: string[]; maxPlaygroundRuns: number } | null;
  cases: Case[];
  broken: { id: string; message: string }[];
  diagnostics: Diagnostic[];
}

export interface Spent {
  usage: Usage;
  /** Null where the price of any model was not known. Those of judges are part of it. */
  costUsd: number | null;
  judgeUsage: Usage;
  judgeCostUsd: number | null;
  steps: number;
  judgeCalls: number;
}

export interface Totals extends Spent, Record<Verdict, number> {
  cases: number;
  done: number;
}

export interface Assertion {
  name: string;
  severity: "gate" | "soft" | "atLeast";
  threshold: number;
  score: number;
  passed: boolean;
  message?: string;
  turn?: number;
  judge?: string;
  place?: string;
}

export interface ToolCall {
  callId: string;
  name: string;
  input: unknown;
  output: unknown;
  status: "completed" | "failed" | "pending" | "rejected";
  stubbed?: boolean;
  parentCallId?: string;
  turn: number;
}

/** Runs that were not verbose lack inputs, texts, calls, logs, metadata and what held. */
export interface Result {
  id: string;
  order: number;
  file: string;
  description?: string;
  verdict: Verdict;
  assertions: Assertion[];
  sessionId?: string;
  iteration: number;
  iterations: number;
  inputs: string[];
  finalText: string;
  toolCalls: ToolCall[];
  metrics: Spent & { turns: number; toolCalls: number };
  logs: string[];
  startedAt: string;
  durationMs: number;
  metadata?: Record<string, unknown>;
  tags: string[];
  error?: { kind: string; message: string; place?: string; stack?: string };
  skipReason?: string;
}

export interface Run {
  runId: string;
  status: "running" | "completed" | "failed" | "cancelled";
  agent: string;
  model?: string;
  startedAt: string;
  finishedAt?: string;
  durationMs: number;
  by?: { kind: string; id: string };
  filterIds: string[];
  tags: string[];
  totals: Totals;
  running: string[];
  error?: string;
  results?: Result[];
}

/** What a run is of; both empty: everything. */
export interface Selection {
  ids: string[];
  tags: string[];
}

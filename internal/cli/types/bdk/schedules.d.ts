// @cursor/bdk/schedules: bot/schedules/<id>.ts; a schedule may be Markdown as well.

/// <reference path="./globals.d.ts" />

import type { ChannelDefinition, ChannelHost } from "./channels.js";
import type { Principal } from "./_events.js";
import type { SessionHandle } from "./_host.js";

export interface ScheduleContext extends ChannelHost {
  /** Gives a message to a channel, by its definition or its id, as if it had come in there. */
  receive(
    channel: ChannelDefinition<any> | string,
    delivery: { message: string; auth?: Principal | null; target?: any },
  ): Promise<SessionHandle>;
  /** Runs a tool without a model. */
  callTool<Result = any>(name: string, input?: Record<string, unknown>): Promise<{ isError: boolean; result: Result }>;
  /** Keeps the firing open until the promise has ended; one that is rejected fails it. */
  waitUntil(promise: PromiseLike<unknown>): void;
  /** Who the schedule acts as. */
  appAuth: Principal;
  /** The instant that fired. */
  scheduledAt: Date;
}

interface ScheduleCommon {
  /** Five fields: minute, hour, day, month, weekday. */
  cron: string;
  /** Left out: "UTC". */
  timeZone?: string;
  /** What a firing does while the one before still runs. Left out: "skip". */
  overlap?: "skip" | "allow";
  /** Fires once at the start for what was missed while the host was down. */
  catchUp?: boolean;
}

/** Opens a task with this prompt, or runs code. */
export type ScheduleConfig =
  | (ScheduleCommon & { markdown: string; run?: undefined })
  | (ScheduleCommon & { run(ctx: ScheduleContext): unknown; markdown?: undefined });

export type ScheduleDefinition = ScheduleConfig;

export declare function defineSchedule(schedule: ScheduleConfig): ScheduleDefinition;

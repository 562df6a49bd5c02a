import type { ChannelContext } from "@cursor/bdk/channels";

/** Answers with what came. */
export const back = (request: Request, { body, query, params }: ChannelContext<unknown, unknown>): Response => Response.json({ method: request.method, params, query, body });

// Replies as they grow, for those who stream them. The events of a channel and its
// routes meet here where the host runs one VM for the project; where it runs several,
// a stream may have its answer in one piece at the end.
import type { ChannelEvents } from "@cursor/bdk/channels";

export interface Piece {
  text: string;
  /** Whether it begins anew, and takes the place of what came before. */
  fresh: boolean;
}

/** What is heard of one task, in order. */
export class Reply {
  text = "";
  #pieces: Piece[] = [];
  #fresh = true;
  #wake = () => {};

  hear(text: string) {
    this.#pieces.push({ text, fresh: this.#fresh });
    this.#fresh = false;
    this.#wake();
  }

  /** What came so far was no reply: the model went on to call tools. */
  restart() {
    this.#fresh = true;
  }

  async next(): Promise<Piece> {
    while (this.#pieces.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    const piece = this.#pieces.shift()!;
    this.text = piece.fresh ? piece.text : this.text + piece.text;
    return piece;
  }
}

const listening = new Map<string, Reply>(); // by task
const turns = new Map<string, Reply>(); // by turn

/** Listens to a task, whose message has its id as deliveryId, until forget. */
export function listen(task: string): Reply {
  const reply = new Reply();
  listening.set(task, reply);
  return reply;
}

export const forget = (task: string) => listening.delete(task);

export const events: ChannelEvents = {
  "message.received"({ turnId, data }) {
    const reply = listening.get(data.deliveryId ?? "");
    if (reply && turnId) turns.set(turnId, reply);
  },
  "message.appended"({ turnId, data }) {
    if (!data.parentCallId) turns.get(turnId ?? "")?.hear(data.text);
  },
  "message.completed"({ turnId, data }) {
    if (!data.parentCallId && data.finishReason === "tool-calls") turns.get(turnId ?? "")?.restart();
  },
  "turn.completed": ({ turnId }) => void turns.delete(turnId ?? ""),
  "turn.failed": ({ turnId }) => void turns.delete(turnId ?? ""),
};

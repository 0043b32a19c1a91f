import type { CommandName, OutcomeName } from '../../protocol/commands.ts';
import type { Pages, SeenFrame } from '../run/evidence.ts';

/** A command as the wire saw it go down. */
export interface SeenRequest {
  readonly requestId: string;
  readonly command: CommandName;
  /** When it was seen first. */
  readonly sentMs: number;
  readonly expiresMs: number;
}

/** What a box answered to a request, as the wire saw it first. */
export interface SeenReply {
  readonly atMs: number;
  readonly outcome: OutcomeName;
  readonly error: string;
  readonly epoch: number;
  readonly sequence: number;
}

export interface RequestBook {
  readonly requests: ReadonlyMap<string, SeenRequest>;
  /** Requests of configurations, with the time at which they were seen first. */
  readonly configurations: ReadonlyMap<string, number>;
  readonly replies: ReadonlyMap<string, SeenReply>;
}

/** Reads a box's frames as requests and replies, by request id. */
export async function readRequests(frames: Pages<SeenFrame>): Promise<RequestBook> {
  const requests = new Map<string, SeenRequest>();
  const configurations = new Map<string, number>();
  const replies = new Map<string, SeenReply>();
  for await (const page of frames) {
    for (const { atMs, direction, epoch, sequence, message } of page) {
      if (direction === 'down' && message.kind === 'command') {
        const { requestId, command, expiresMs } = message;
        if (!requests.has(requestId))
          requests.set(requestId, { requestId, command, sentMs: atMs, expiresMs });
      } else if (direction === 'down' && message.kind === 'configuration') {
        if (!configurations.has(message.requestId)) configurations.set(message.requestId, atMs);
      } else if (direction === 'up' && message.kind === 'reply' && !replies.has(message.requestId)) {
        const { outcome, error } = message;
        replies.set(message.requestId, { atMs, outcome, error, epoch, sequence });
      }
    }
  }
  return { requests, configurations, replies };
}

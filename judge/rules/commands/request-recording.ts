import type { CommandName, ReplyOutcome } from '../../../protocol/commands.ts';
import type { Pages, RecordedFrame } from '../../evidence/evidence.ts';

/** A command as it was sent to the box. */
export interface SeenRequest {
  readonly requestId: string;
  readonly command: CommandName;
  /** When the service sent its first frame: the network may have delayed it before it was recorded. */
  readonly sentMs: number;
  /** When the box first received it. */
  readonly seenMs: number;
  readonly expiresMs: number;
}

/** The first reply of a box to a request. */
export interface SeenReply {
  readonly atMs: number;
  readonly outcome: ReplyOutcome;
  readonly error: string;
  readonly epoch: number;
  readonly sequence: number;
}

export interface RequestRecording {
  readonly requests: ReadonlyMap<string, SeenRequest>;
  /** Configuration requests, with the time of their first frames. */
  readonly configurations: ReadonlyMap<string, number>;
  /** The same by the time of sending: the network may have delayed them before they were recorded. */
  readonly configurationsSent: ReadonlyMap<string, number>;
  readonly replies: ReadonlyMap<string, SeenReply>;
}

/** Reads a box's frames as requests and replies, by request id. */
export async function readRequests(frames: Pages<RecordedFrame>): Promise<RequestRecording> {
  const requests = new Map<string, SeenRequest>();
  const configurations = new Map<string, number>();
  const configurationsSent = new Map<string, number>();
  const replies = new Map<string, SeenReply>();
  for await (const page of frames) {
    for (const { atMs, clockMs, direction, epoch, sequence, message } of page) {
      if (direction === 'down' && message.kind === 'command') {
        const { requestId, command, expiresMs } = message;
        if (!requests.has(requestId))
          requests.set(requestId, {
            requestId,
            command,
            expiresMs,
            sentMs: clockMs > 0 ? Math.min(clockMs, atMs) : atMs,
            seenMs: atMs,
          });
      } else if (direction === 'down' && message.kind === 'configuration') {
        if (configurations.has(message.requestId)) continue;
        configurations.set(message.requestId, atMs);
        configurationsSent.set(message.requestId, clockMs > 0 ? Math.min(clockMs, atMs) : atMs);
      } else if (direction === 'up' && message.kind === 'reply' && !replies.has(message.requestId)) {
        const { outcome, error } = message;
        replies.set(message.requestId, { atMs, outcome, error, epoch, sequence });
      }
    }
  }
  return { requests, configurations, configurationsSent, replies };
}

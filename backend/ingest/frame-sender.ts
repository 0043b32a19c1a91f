import { encodeFrame } from '../../protocol/codec/frame.ts';
import { topics } from '../../protocol/topics.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { limits } from '../base/limits.ts';
import type { DownlinkFrame } from './batch-result.ts';

export interface FrameSenderParts {
  readonly world: Pick<World, 'time'>;
  readonly counters: Counters;
  send(topic: string, bytes: Uint8Array): Promise<void>;
}

/** Sends receipts, unreadables and requests to send again. */
export interface FrameSender {
  send(frames: readonly DownlinkFrame[]): void;
  /** Resolves once the broker has acknowledged, or lost, everything that was sent. */
  settled(): Promise<void>;
}

/**
 * No caller waits for these frames: if one is lost, the box resends its records and gets its receipt then. So a failure
 * is only counted, and beyond a number of unacknowledged frames no more are sent.
 */
export function makeFrameSender(parts: FrameSenderParts): FrameSender {
  const { world, counters } = parts;
  let open = 0;
  let waiting: (() => void)[] = [];

  function done(name: string): void {
    counters.add(name);
    open -= 1;
    if (open > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  /** The handlers by kind of frame. A receipt is sent for each record, so they are created once. */
  const outcomes = {
    receipt: { sent: () => done('down.receipt.sent'), lost: () => done('down.receipt.lost') },
    resend: { sent: () => done('down.resend.sent'), lost: () => done('down.resend.lost') },
    unreadable: { sent: () => done('down.unreadable.sent'), lost: () => done('down.unreadable.lost') },
  };

  return {
    send(frames) {
      const clockMs = world.time.nowMs();
      for (const { boxId, generation, epoch, message } of frames) {
        if (open >= limits.downlinkFramesInFlight) {
          counters.add(`down.${message.kind}.withheld`);
          continue;
        }
        open += 1;
        const bytes = encodeFrame({ generation, epoch, boot: 0, sequence: 0, clockMs, message });
        parts.send(topics.down(boxId), bytes).then(outcomes[message.kind].sent, outcomes[message.kind].lost);
      }
    },
    settled: () =>
      open === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push(resolve);
          }),
  };
}

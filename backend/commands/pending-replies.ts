import type { Time } from '../../world/time/time.ts';
import { commandLimits } from '../base/limits.ts';

/** Where requests wait for a signal to read the store. */
export interface PendingReplies {
  /**
   * Resolves when `wake` is called for this id, after a while, or at `untilMs`, whichever comes first; with `closed` if
   * this is closed before or meanwhile. One caller waits for an id at a time. A wake for a known id without a waiting
   * caller is kept: the next wait for it resolves at once.
   */
  wait(id: string, untilMs: number): Promise<'look' | 'closed'>;
  wake(id: string): void;
  /** As `wake` for every id with a waiting caller. */
  wakeAll(): void;
  /** The caller of this id has finished. */
  forget(id: string): void;
  close(): void;
  readonly isClosed: boolean;
}

interface PendingReply {
  /** Set while a caller waits. */
  resume: ((why: 'look' | 'closed') => void) | undefined;
  isWoken: boolean;
  /** The longest next wait. */
  waitMs: number;
}

export function makePendingReplies(time: Time): PendingReplies {
  const pendingById = new Map<string, PendingReply>();
  let isClosed = false;

  function wake(id: string): void {
    const pending = pendingById.get(id);
    if (pending === undefined) return;
    if (pending.resume === undefined) pending.isWoken = true;
    else pending.resume('look');
  }

  return {
    wait(id, untilMs) {
      if (isClosed) return Promise.resolve('closed');
      const pending = pendingById.get(id) ?? {
        resume: undefined,
        isWoken: false,
        waitMs: commandLimits.lookMs,
      };
      pendingById.set(id, pending);
      if (pending.isWoken) {
        pending.isWoken = false;
        return Promise.resolve('look');
      }
      return new Promise((resolve) => {
        const cancel = time.alarm(Math.min(untilMs, time.nowMs() + pending.waitMs), () =>
          pending.resume?.('look'),
        );
        pending.waitMs = Math.min(2 * pending.waitMs, commandLimits.longestLookMs);
        pending.resume = (why) => {
          cancel();
          pending.resume = undefined;
          resolve(why);
        };
      });
    },
    wake,
    wakeAll() {
      for (const id of [...pendingById.keys()]) wake(id);
    },
    forget: (id) => void pendingById.delete(id),
    get isClosed() {
      return isClosed;
    },
    close() {
      isClosed = true;
      for (const pending of [...pendingById.values()]) pending.resume?.('closed');
    },
  };
}

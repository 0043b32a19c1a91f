import type { Time } from '../../world/time.ts';
import { commandLimits } from './limits.ts';

/** Where requests wait to be told to look into the store. */
export interface WaitingRoom {
  /**
   * Resolves when `wake` is called for this id, after a while, or at `untilMs`, whichever comes first; `closed`
   * when the room is or becomes closed. One waits for an id at a time. A wake that came while nobody waited for a
   * known id is not lost: the next wait for it resolves at once.
   */
  wait(id: string, untilMs: number): Promise<'look' | 'closed'>;
  wake(id: string): void;
  /** The id's owner is done with it. */
  leave(id: string): void;
  close(): void;
  readonly isClosed: boolean;
}

interface Seat {
  /** Set while somebody waits. */
  call: ((why: 'look' | 'closed') => void) | undefined;
  isWoken: boolean;
  /** How long the next wait is at most. */
  lookMs: number;
}

export function makeWaitingRoom(time: Time): WaitingRoom {
  const seats = new Map<string, Seat>();
  let isClosed = false;
  return {
    wait(id, untilMs) {
      if (isClosed) return Promise.resolve('closed');
      const seat = seats.get(id) ?? { call: undefined, isWoken: false, lookMs: commandLimits.lookMs };
      seats.set(id, seat);
      if (seat.isWoken) {
        seat.isWoken = false;
        return Promise.resolve('look');
      }
      return new Promise((resolve) => {
        const cancel = time.alarm(Math.min(untilMs, time.nowMs() + seat.lookMs), () => seat.call?.('look'));
        seat.lookMs = Math.min(2 * seat.lookMs, commandLimits.longestLookMs);
        seat.call = (why) => {
          cancel();
          seat.call = undefined;
          resolve(why);
        };
      });
    },
    wake(id) {
      const seat = seats.get(id);
      if (seat === undefined) return;
      if (seat.call === undefined) seat.isWoken = true;
      else seat.call('look');
    },
    leave: (id) => void seats.delete(id),
    get isClosed() {
      return isClosed;
    },
    close() {
      isClosed = true;
      for (const seat of [...seats.values()]) seat.call?.('closed');
    },
  };
}

import type { Time } from '../../world/time/time.ts';

export interface WorkLoopParts {
  readonly time: Pick<Time, 'nowMs' | 'alarm'>;
  /** Does all work that is pending when it begins. Code that adds work later calls `wake`. */
  round(): Promise<void>;
  /** A round has rejected. Returns the milliseconds after which another one begins. Must not throw. */
  failed(error: unknown): number;
}

/** Runs rounds of work, one at a time. */
export interface WorkLoop {
  /** There may be work: a round begins now or, however often this is called during a round, once after it. */
  wake(): void;
  /** Begins no more rounds. The one in progress continues. */
  stop(): void;
}

/**
 * Rounds of work on request: wake-ups coalesce and none is lost. After a failed round the wake-ups that came during it
 * wait for the next attempt, so that a store that fails is not called again at once; a later one begins a round now.
 */
export function makeWorkLoop({ time, round, failed }: WorkLoopParts): WorkLoop {
  let isRunning = false;
  let isWoken = false;
  let isStopped = false;
  let cancelRetry = (): void => undefined;

  function wake(): void {
    isWoken = true;
    if (!isRunning && !isStopped) void run();
  }

  /** Never rejects. */
  async function run(): Promise<void> {
    isRunning = true;
    cancelRetry();
    try {
      while (isWoken && !isStopped) {
        isWoken = false;
        await round();
      }
    } catch (error) {
      const delayMs = failed(error);
      if (!isStopped) cancelRetry = time.alarm(time.nowMs() + delayMs, wake);
    }
    // In the same step as the last read of `isWoken`: in a later one, a wake-up in between would be lost.
    isRunning = false;
  }

  return {
    wake,
    stop() {
      isStopped = true;
      cancelRetry();
    },
  };
}

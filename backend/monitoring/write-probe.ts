import type { Time } from '../../world/time/time.ts';
import { healthLimits } from '../base/limits.ts';
import { within } from '../base/within.ts';
import type { CensusStore } from '../store/port/census-store.ts';

/** Finds out whether the store can be written. */
export interface WriteProbe {
  /** A write of the service has failed. */
  failed(): void;
  /** Never rejects; resolves in bounded time. */
  canWrite(): Promise<boolean>;
}

/**
 * Each failed write of any part of the service counts: a store that refuses some writes counts as refusing. Only a
 * write with an effect proves that writes work: a small row, at most every few seconds however often this is called,
 * and never two at a time.
 */
export function makeWriteProbe(time: Time, store: () => Pick<CensusStore, 'probe'>): WriteProbe {
  let failedMs = Number.NEGATIVE_INFINITY;
  let begunMs = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  let hasFailed = false;

  function begin(): void {
    begunMs = time.nowMs();
    const end = (isFailure: boolean) => {
      running = undefined;
      hasFailed = isFailure;
    };
    running = store()
      .probe(begunMs)
      .then(
        () => end(false),
        () => end(true),
      );
  }

  return {
    failed() {
      failedMs = time.nowMs();
    },
    async canWrite() {
      const everyMs = hasFailed ? healthLimits.probeFailingMs : healthLimits.probeEveryMs;
      if (running === undefined && time.nowMs() - begunMs >= everyMs) begin();
      const leftMs = begunMs + healthLimits.probeTimeoutMs - time.nowMs();
      if (running !== undefined) await within(time, Math.max(0, leftMs), running);
      // A probe that hangs has neither succeeded nor failed.
      const isWritten = running === undefined && !hasFailed;
      return isWritten && time.nowMs() - failedMs > healthLimits.writeFailedMs;
    },
  };
}

import { sleep } from '../../world/time/time.ts';
import type { Testbed } from '../testbed/port/testbed.ts';
import { limits } from './limits.ts';

export interface PendingAfterHeal {
  readonly what: string;
  readonly reason: string;
  readonly vehicle?: number;
}

/**
 * Waits until pending work has settled. What was seen settled once counts as healed, since a driving vehicle
 * always has a record in transit. Resolves with what was pending at every look until the time to heal was
 * over.
 */
export async function heal(testbed: Testbed, healMs: number): Promise<readonly PendingAfterHeal[]> {
  const { time, evidence } = testbed;
  const untilMs = time.nowMs() + healMs;
  let still: ReadonlyMap<string, PendingAfterHeal> | undefined;
  for (;;) {
    const pending = new Map(
      (await evidence.pending()).map(({ what, reason, vehicle }) => [
        `${vehicle?.number ?? 0} ${what}`,
        { what, reason, ...(vehicle === undefined ? {} : { vehicle: vehicle.number }) },
      ]),
    );
    const before: ReadonlyMap<string, PendingAfterHeal> | undefined = still;
    still = before === undefined ? pending : new Map([...pending].filter(([key]) => before.has(key)));
    if (still.size === 0 || time.nowMs() >= untilMs) return [...still.values()];
    await sleep(time, Math.min(limits.healLookMs, untilMs - time.nowMs()));
  }
}

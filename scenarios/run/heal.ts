import { sleep } from '../../world/time.ts';
import { limits } from './limits.ts';
import type { Theatre } from './theatre.ts';

export interface Unhealed {
  readonly what: string;
  readonly reason: string;
  readonly vehicle?: number;
}

/**
 * Lets what is pending settle. What was seen settled once counts as healed: a vehicle that drives always has a record
 * on its way. Resolves with what was pending at every look until the time to heal was over.
 */
export async function heal(theatre: Theatre, healMs: number): Promise<readonly Unhealed[]> {
  const { time, evidence } = theatre;
  const untilMs = time.nowMs() + healMs;
  let still: ReadonlyMap<string, Unhealed> | undefined;
  for (;;) {
    const pending = new Map(
      (await evidence.pending()).map(({ what, reason, player }) => [
        `${player?.number ?? 0} ${what}`,
        { what, reason, ...(player === undefined ? {} : { vehicle: player.number }) },
      ]),
    );
    const before: ReadonlyMap<string, Unhealed> | undefined = still;
    still = before === undefined ? pending : new Map([...pending].filter(([key]) => before.has(key)));
    if (still.size === 0 || time.nowMs() >= untilMs) return [...still.values()];
    await sleep(time, Math.min(limits.healLookMs, untilMs - time.nowMs()));
  }
}

import { PARTITIONS } from '../../../protocol/partitions.ts';
import type { ShareEvent } from '../../evidence/partition-history.ts';
import type { Findings } from '../findings.ts';
import { limits } from '../limits.ts';

/**
 * A backend that stays releases only what is beyond its share: otherwise it gets some of it back, and boxes change
 * their backend needlessly. The share is by the largest recent number of backends, and is judged only if nothing was
 * taken from the backend meanwhile and its leases never lapsed.
 */
export function judgePassedOn(events: readonly ShareEvent[], endMs: number, findings: Findings): void {
  const members = new MembersOverTime(events);
  for (const event of events) {
    const { what, atMs, backend, held } = event;
    if (what !== 'passed' || endMs - atMs < limits.leavesWithinMs) continue;
    const hindered = events.some(
      (one) =>
        one.backend === backend &&
        ((['lost', 'lapsed'].includes(one.what) && within(one, atMs - limits.hinderedMs, atMs)) ||
          (['left', 'lapsed', 'lost'].includes(one.what) && within(one, atMs, atMs + limits.leavesWithinMs))),
    );
    if (hindered) continue;
    const most = members.most(atMs - limits.surplusKnownMs, atMs);
    const share = Math.floor(PARTITIONS / Math.max(1, most));
    if (held < share)
      findings.add(
        'more was passed on than the surplus',
        `${backend} kept ${held} partitions, and its share was ${share} at least, among ${most} backends`,
        { atMs },
      );
  }
}

function within({ atMs }: ShareEvent, fromMs: number, toMs: number): boolean {
  return atMs >= fromMs && atMs <= toMs;
}

/** How many backends shared the partitions. */
class MembersOverTime {
  readonly #counts: { readonly atMs: number; readonly count: number }[] = [];

  constructor(events: readonly ShareEvent[]) {
    const there = new Set<string>();
    for (const { what, atMs, backend } of events) {
      if (what === 'joined') there.add(backend);
      else if (what === 'left' || what === 'lapsed') there.delete(backend);
      else continue;
      this.#counts.push({ atMs, count: there.size });
    }
  }

  /** At any moment of that time. */
  most(fromMs: number, toMs: number): number {
    const before = this.#counts.findLast(({ atMs }) => atMs < fromMs)?.count ?? 0;
    const during = this.#counts.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
    return Math.max(before, ...during.map(({ count }) => count));
  }
}

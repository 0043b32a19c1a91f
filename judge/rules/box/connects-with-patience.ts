import type { Checker } from '../check.ts';
import { Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';
import { isSameBoot } from './box-moments.ts';

/**
 * A box that does not get into a session waits longer with each attempt (docs/wire.md, A connection): between two
 * attempts lies at least half a second, doubled with each, up to half a minute. An answered session or a reset restarts
 * it.
 */
export const connectsWithPatience: Checker = ({ evidence, vehicles, facts }) => {
  const findings = new Findings();
  let attempts = 0;
  for (const vehicle of vehicles) {
    if (vehicle.boxId === undefined) continue;
    const { connects, memories } = evidence.boxHistory(vehicle);
    attempts += connects.length;
    const fresh = [
      ...facts.flatMap((fact) =>
        fact.kind === 'connectivity' && fact.vehicle === vehicle.number && fact.state === 'ready'
          ? [fact.atMs]
          : [],
      ),
      ...memories.flatMap((one, index) => (isSameBoot(one, memories[index - 1]) ? [] : [one.atMs])),
    ].toSorted((a, b) => a - b);
    let row = 0;
    let next = 0;
    for (const [index, { atMs }] of connects.entries()) {
      const lastMs = connects[index - 1]?.atMs;
      let isFresh = lastMs === undefined;
      for (; (fresh[next] ?? Number.POSITIVE_INFINITY) <= atMs; next += 1) isFresh = true;
      row = isFresh ? 1 : row + 1;
      if (isFresh || lastMs === undefined) continue;
      const leastMs = Math.min(
        limits.reconnectLeastMs * (1 << Math.min(row - 2, 16)),
        limits.reconnectMostMs,
      );
      const waitedMs = atMs - lastMs;
      if (waitedMs + 1 >= leastMs) continue;
      findings.add(
        'connects in a hurry',
        `${nameOf(vehicle)}: attempt ${row} came ${waitedMs} ms after the one before it, and not ${leastMs}`,
        { vehicle, atMs },
      );
    }
  }
  return Promise.resolve(findings.result([[attempts, 'attempt']]));
};

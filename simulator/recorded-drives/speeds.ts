import { limits } from './limits.ts';
import type { Node } from './nodes.ts';

/**
 * The speed at each node: as recorded, or reckoned from the ways before and behind it; and never one that a vehicle
 * cannot reach from those beside it. `ways`: the length from each node to the next. `slowed` is called with a node whose
 * recorded speed cannot be.
 */
export function speedsAt(
  nodes: readonly Node[],
  ways: readonly number[],
  slowed: (index: number) => void,
): readonly number[] {
  const last = nodes.length - 1;
  const timeS = (index: number): number => (nodes[index + 1]?.atS ?? 0) - (nodes[index]?.atS ?? 0);
  const speeds = nodes.map(({ speedMps }, index) => {
    if (speedMps !== undefined) return Math.min(speedMps, limits.fastestMps);
    if (index === 0 || index === last) {
      const at = index === 0 ? 0 : last - 1;
      const meanMps = (ways[at] ?? 0) / timeS(at);
      // Who records from the kerb to the kerb begins and ends at rest.
      return (2 * meanMps) / timeS(at) <= limits.beginningMps2 ? 0 : meanMps;
    }
    return ((ways[index - 1] ?? 0) + (ways[index] ?? 0)) / (timeS(index - 1) + timeS(index));
  });
  const rateAt = (index: number): number =>
    nodes[index]?.speedMps === undefined ? limits.reckonedMps2 : limits.recordedMps2;
  const lower = (index: number, beside: number, passedS: number): void => {
    const mostMps = (speeds[beside] ?? 0) + rateAt(index) * passedS;
    if ((speeds[index] ?? 0) <= mostMps) return;
    if (nodes[index]?.speedMps !== undefined) slowed(index);
    speeds[index] = mostMps;
  };
  for (let index = 1; index <= last; index += 1) lower(index, index - 1, timeS(index - 1));
  for (let index = last - 1; index >= 0; index -= 1) lower(index, index + 1, timeS(index));
  return speeds;
}

import type { CellularTrace } from '../../world/cellular-trace.ts';
import type { LinkName } from '../language/weather.ts';

/** For so long a packet may pass every so many milliseconds; undefined: none may. */
type Stretch = readonly [lastsMs: number, gapMs: number | undefined];

const STRETCHES: Readonly<Record<LinkName, readonly Stretch[]>> = {
  train: [
    [30_000, 10],
    [4_000, 400],
    [12_000, undefined],
    [20_000, 60],
    [25_000, 250],
    [7_000, undefined],
    [40_000, 15],
    [30_000, 120],
    [12_000, 600],
  ],
  countryside: [
    [20_000, 500],
    [5_000, undefined],
    [15_000, 900],
    [20_000, 350],
  ],
  crowd: [
    [500, 10],
    [4_500, undefined],
    [800, 20],
    [8_200, undefined],
    [1_000, 50],
    [5_000, undefined],
  ],
};

/** The link of that name, as a recording would hold it. */
export function builtInLink(name: LinkName): CellularTrace {
  const stampsMs: number[] = [];
  let fromMs = 0;
  for (const [lastsMs, gapMs] of STRETCHES[name]) {
    if (gapMs !== undefined)
      for (let atMs = gapMs; atMs <= lastsMs; atMs += gapMs) stampsMs.push(fromMs + atMs);
    fromMs += lastsMs;
  }
  // The last stamp is how long a recording lasts.
  if (stampsMs.at(-1) !== fromMs) stampsMs.push(fromMs);
  return { stampsMs };
}

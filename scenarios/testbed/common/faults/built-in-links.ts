import type { CellularTrace } from '../../../../world/network-faults/cellular-trace.ts';
import type { LinkName } from '../../../language/steps/weather.ts';

/** A duration with one packet per this interval in milliseconds; undefined: none may pass. */
type QualityPeriod = readonly [lastsMs: number, gapMs: number | undefined];

const QUALITY_PERIODS: Readonly<Record<LinkName, readonly QualityPeriod[]>> = {
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

/** The link of that name, in the form of a recording. */
export function builtInLink(name: LinkName): CellularTrace {
  const stampsMs: number[] = [];
  let fromMs = 0;
  for (const [lastsMs, gapMs] of QUALITY_PERIODS[name]) {
    if (gapMs !== undefined)
      for (let atMs = gapMs; atMs <= lastsMs; atMs += gapMs) stampsMs.push(fromMs + atMs);
    fromMs += lastsMs;
  }
  // The last time stamp is the length of a recording.
  if (stampsMs.at(-1) !== fromMs) stampsMs.push(fromMs);
  return { stampsMs };
}

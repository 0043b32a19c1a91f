import { formatSpan } from '../../language/document/quantity.ts';
import type { RandomSource } from '../../language/vary/draw.ts';
import { type DrawnPart, drawnOne } from '../../language/vary/step-action.ts';
import { exploreLimits } from '../../limits.ts';

/** The parts of a row: vehicles of its own, and steps with their times. */
export interface WorkOfSeveral {
  readonly group: DrawnPart;
  readonly steps: readonly DrawnPart[];
}

interface WorkOfSeveralRow {
  readonly does: string;
  readonly draw: (source: RandomSource, backends: number) => WorkOfSeveral;
}

/** Work during which one of several backends starts or ends, while others have something under way. */
export const WORK_OF_SEVERAL: readonly WorkOfSeveralRow[] = [
  {
    does: 'A backend starts seconds into a bulk job, whose vehicles have slow networks.',
    draw(source, backends) {
      const as = 'slow-job';
      const on = { on: as };
      const jobMs = source.whole(exploreLimits.settledMs + 30_000, exploreLimits.swarmLongestMs / 2);
      // Before the job the partitions of the dead backend have found others, or are looking for them.
      const aheadMs = source.whole(0, 1) === 0 ? source.whole(2_000, 6_000) : source.whole(15_000, 25_000);
      const upMs = source.whole(1_000, 5_000);
      return {
        group: { as, count: source.whole(2, 5), driving: false, features: 'none' },
        steps: [
          {
            at: formatSpan(jobMs - aheadMs),
            for: formatSpan(aheadMs + upMs),
            break: { backend: { crash: { which: source.whole(1, backends) } } },
          },
          {
            at: formatSpan(jobMs - 1_000),
            ...on,
            for: '60s',
            weather: { latency: { base: formatSpan(source.whole(5_000, 8_000)) } },
          },
          {
            at: formatSpan(jobMs),
            ...on,
            call: { bulk: { tracking: { time_interval_in_seconds: source.whole(10, 60) } } },
          },
        ],
      };
    },
  },
  {
    does: "Vehicles with their maker's telematics drive, while a backend dies and starts again.",
    draw(source, backends) {
      const as = 'maker-cars';
      const on = { on: as };
      const driveMs = source.whole(exploreLimits.settledMs, exploreLimits.swarmLongestMs / 2);
      const crashMs = driveMs + source.whole(1_000, 60_000);
      return {
        group: { as, count: source.whole(1, 2), maker: 'northwind' },
        steps: [
          { at: formatSpan(driveMs - 5_000), ...on, call: { command: 'unlock-central-lock' } },
          { at: formatSpan(driveMs - 2_500), ...on, call: { command: 'enable-driving' } },
          { at: formatSpan(driveMs), ...on, drive: {} },
          {
            at: formatSpan(crashMs),
            for: formatSpan(source.whole(1_000, 20_000)),
            break: { backend: { crash: { which: source.whole(1, backends) } } },
          },
          { at: formatSpan(crashMs + source.whole(20_000, 120_000)), ...on, park: {} },
        ],
      };
    },
  },
];

/** Some of it; one in so many runs with several backends has a row. */
export function workOfSeveral(source: RandomSource, backends: number): readonly WorkOfSeveral[] {
  if (source.whole(1, exploreLimits.workOfSeveralIn) !== 1) return [];
  return [drawnOne(source, WORK_OF_SEVERAL).draw(source, backends)];
}

import { z } from 'zod';
import { controlLimits } from '../limits.ts';
import { boxAction } from './action.ts';

/** Faults of a box's own parts, or of its reception. */
export const FAULT_ACTIONS = {
  'clock-jump': boxAction({
    does: "The counter of the box's clock jumps by this number of seconds, backwards if negative; kept over restarts. Timestamps and expiry checks of the box are wrong until the backend sends its time.",
    body: z.strictObject({
      seconds: z.number().min(-controlLimits.farthestJumpS).max(controlLimits.farthestJumpS),
    }),
    example: { seconds: -7_200 },
    run: (box, { seconds }) => box.jumpClock(Math.round(seconds * 1_000)),
  }),
  'flash-full': boxAction({
    does: 'The flash has room for no more records than it holds: the oldest report makes room for the next record and leaves a tombstone. `full: false` mends it, and so does a restart of the program.',
    body: z.strictObject({ full: z.boolean() }),
    example: { full: true },
    run: (box, { full }) => box.setFlashFull(full),
  }),
  wipe: boxAction({
    does: 'The flash of the box is wiped, as in a repair: its records, configuration and tokens are gone, the program in it stays, and the box starts with a new journal epoch.',
    body: z.strictObject({}),
    example: {},
    run: (box) => box.wipe(),
  }),
  gnss: boxAction({
    does: 'The box hears no satellite and does not know where it is; or it hears them again.',
    body: z.strictObject({ available: z.boolean() }),
    example: { available: false },
    run: (box, { available }) => box.setGnssReception(available),
  }),
  border: boxAction({
    does: 'The vehicle goes abroad, or home again: its network is lost, and after gap_s seconds the box is among other networks.',
    body: z.strictObject({
      abroad: z.boolean(),
      gap_s: z.number().min(0).max(controlLimits.longestGapS).default(20),
    }),
    example: { abroad: true, gap_s: 20 },
    run: (box, { abroad, gap_s }) => box.crossBorder(abroad, Math.round(gap_s * 1_000)),
  }),
};

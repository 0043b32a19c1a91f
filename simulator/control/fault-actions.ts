import { z } from 'zod';
import { type BoxAction, boxAction } from './box-action.ts';
import { limits } from './limits.ts';

/** What breaks in a box's own parts, or in what it hears. */
export const FAULT_ACTIONS: readonly BoxAction[] = [
  boxAction({
    name: 'clock-jump',
    does: "The counter of the box's clock jumps by so many seconds, back where they are negative; kept over restarts. What the box stamps, and what it takes to be expired, is off until the backend's clock tells it better.",
    body: z.strictObject({
      seconds: z.number().min(-limits.farthestJumpS).max(limits.farthestJumpS),
    }),
    example: { seconds: -7_200 },
    run: (box, { seconds }) => box.jumpClock(Math.round(seconds * 1_000)),
  }),
  boxAction({
    name: 'flash-full',
    does: 'The flash has room for no more records than it holds: the oldest report makes room for the next record and leaves a tombstone. `full: false` mends it, and so does a restart of the program.',
    body: z.strictObject({ full: z.boolean() }),
    example: { full: true },
    run: (box, { full }) => box.setFlashFull(full),
  }),
  boxAction({
    name: 'wipe',
    does: 'The flash of the box is wiped, as in a repair: its records, configuration and tokens are gone, the program in it stays, and the box starts with a new journal epoch.',
    body: z.strictObject({}),
    example: {},
    run: (box) => box.wipe(),
  }),
  boxAction({
    name: 'gnss',
    does: 'The box hears no satellite and does not know where it is; or it hears them again.',
    body: z.strictObject({ available: z.boolean() }),
    example: { available: false },
    run: (box, { available }) => box.setGnssReception(available),
  }),
  boxAction({
    name: 'border',
    does: 'The vehicle goes abroad, or home again: its network is lost, and after gap_s seconds the box is among other networks.',
    body: z.strictObject({
      abroad: z.boolean(),
      gap_s: z.number().min(0).max(limits.longestGapS).default(20),
    }),
    example: { abroad: true, gap_s: 20 },
    run: (box, { abroad, gap_s }) => box.crossBorder(abroad, Math.round(gap_s * 1_000)),
  }),
];

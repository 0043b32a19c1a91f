import { count } from '../checks/wording.ts';
import { limits } from './limits.ts';
import { type LiveFigures, positive, whole } from './live-figures.ts';

/** How far the boxes of a part are with coming up. Times in milliseconds of any one clock. */
export interface RampUp {
  readonly beganMs: number;
  /** Undefined: the part has none, or has not said so yet. */
  readonly boxes: number | undefined;
  /** The most that have been ready at a time, and when that was. */
  readonly ready: number;
  readonly roseMs: number;
  /** All of them have been ready, or no more get ready. It does not begin anew. */
  readonly isOver: boolean;
}

/** Before anything is known of the boxes. */
export function rampUpAt(nowMs: number): RampUp {
  return { beganMs: nowMs, boxes: undefined, ready: 0, roseMs: nowMs, isOver: false };
}

/** How far they are by these figures. */
export function rampUpAfter(
  before: RampUp,
  { boxes, boxesReady = 0 }: Pick<LiveFigures, 'boxes' | 'boxesReady'>,
  nowMs: number,
): RampUp {
  if (before.isOver || boxes === undefined) return before;
  const now = whole(boxesReady);
  const rises = now > before.ready;
  const ready = rises ? now : before.ready;
  const roseMs = rises ? nowMs : before.roseMs;
  const isCalm = ready > 0 && nowMs - roseMs >= limits.calmMs;
  return { ...before, boxes: whole(boxes), ready, roseMs, isOver: ready >= whole(boxes) || isCalm };
}

/** What a pipe was told last of a ramp-up. */
export interface ToldRampUp {
  readonly atMs: number;
  readonly ready: number;
}

/**
 * The line that a pipe is told now, without a line break; undefined: none. There is one when the ramp-up is over, and
 * before that one each `limits.lineMs` while more boxes get ready. No line for fewer than `leastBoxes`.
 */
export function rampUpLine(
  { beganMs, boxes, ready, roseMs, isOver }: RampUp,
  told: ToldRampUp,
  nowMs: number,
  leastBoxes: number,
): string | undefined {
  if (boxes === undefined || boxes < 1 || boxes < leastBoxes) return undefined;
  const isDue = ready > told.ready && nowMs - told.atMs >= limits.lineMs;
  if (!isOver && !isDue) return undefined;
  const afterS = (positive((isOver ? roseMs : nowMs) - beganMs) / 1_000).toFixed(1);
  const are = boxes === 1 ? 'box is' : 'boxes are';
  const rest = isOver && ready < boxes ? `; no more have come for ${limits.calmMs / 1_000} s` : '';
  return `boxtwin: ${count(ready)} of ${count(boxes)} ${are} ready after ${afterS} s${rest}`;
}

import { count } from '../../deployment/checks/wording.ts';
import { type LiveFigures, positive, whole } from '../../deployment/shared/live-figures.ts';
import { limits } from './limits.ts';

/** The progress of the boxes of a part while they start. Times in milliseconds of any one clock. */
export interface RampUp {
  readonly beganMs: number;
  /** Undefined: the part has none, or has not reported them yet. */
  readonly boxes: number | undefined;
  /** The highest number that were ready at a time, and when that was. */
  readonly ready: number;
  readonly roseMs: number;
  /** Of the others, the number without radio coverage by the last figures; undefined: not known. */
  readonly uncovered: number | undefined;
  /** All of them have been ready, or no more become ready. It does not reset. */
  readonly isOver: boolean;
}

/** Before anything is known of the boxes. */
export function rampUpAt(nowMs: number): RampUp {
  return { beganMs: nowMs, boxes: undefined, ready: 0, roseMs: nowMs, uncovered: undefined, isOver: false };
}

/** Their progress by these figures. */
export function rampUpAfter(
  before: RampUp,
  {
    boxes,
    boxesReady = 0,
    boxesUncovered: uncovered,
  }: Pick<LiveFigures, 'boxes' | 'boxesReady' | 'boxesUncovered'>,
  nowMs: number,
): RampUp {
  if (before.isOver || boxes === undefined) return before;
  const now = whole(boxesReady);
  const rises = now > before.ready;
  const ready = rises ? now : before.ready;
  const roseMs = rises ? nowMs : before.roseMs;
  const isCalm = ready > 0 && nowMs - roseMs >= limits.calmMs;
  const isOver = ready >= whole(boxes) || isCalm;
  return { ...before, boxes: whole(boxes), ready, roseMs, uncovered, isOver };
}

/** The last report of a ramp-up to a pipe. */
export interface ReportedRampUp {
  readonly atMs: number;
  readonly ready: number;
}

/**
 * The line that is due for a pipe, without a line break; undefined: none. There is one when the ramp-up is over, and
 * before that one each `limits.lineMs` while more boxes become ready. No line for fewer than `leastBoxes`.
 */
export function rampUpLine(
  { beganMs, boxes, ready, roseMs, uncovered, isOver }: RampUp,
  told: ReportedRampUp,
  nowMs: number,
  leastBoxes: number,
): string | undefined {
  if (boxes === undefined || boxes < 1 || boxes < leastBoxes) return undefined;
  const isDue = ready > told.ready && nowMs - told.atMs >= limits.lineMs;
  if (!isOver && !isDue) return undefined;
  // When the last of them became ready, in every line: the time of the line itself would contradict the final one.
  const afterS = (positive(roseMs - beganMs) / 1_000).toFixed(1);
  const are = `${boxes === 1 ? 'box' : 'boxes'} ${ready === 1 ? 'is' : 'are'}`;
  const rest =
    isOver && ready < boxes
      ? `; no more have come for ${limits.calmMs / 1_000} s${othersText(boxes - ready, uncovered)}`
      : '';
  return `boxtwin: ${count(ready)} of ${count(boxes)} ${are} ready after ${afterS} s${rest}`;
}

/** ` (11 others: 10 without radio coverage, 1 offline for another reason)`; empty where the reasons are not known. */
function othersText(others: number, uncovered: number | undefined): string {
  if (uncovered === undefined) return '';
  const without = Math.min(whole(uncovered), others);
  const reasons = [
    ...(without === 0 ? [] : [`${count(without)} without radio coverage`]),
    ...(without === others ? [] : [`${count(others - without)} offline for another reason`]),
  ];
  return ` (${count(others)} ${others === 1 ? 'other' : 'others'}: ${reasons.join(', ')})`;
}

import { runTimeText } from '../../run/time-text.ts';

/** The space left of the rows, for their names. */
export const WIDTH = 1_200;
export const LEFT = 92;
export const RIGHT = 16;

/** A part of a run, in milliseconds from its beginning. */
export interface TimeWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000,
  600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 28_800_000,
];
const DAY_MS = 86_400_000;

/** The x position of a moment, limited to the picture. */
export function xOf(atMs: number, { fromMs, toMs }: TimeWindow): number {
  const share = (atMs - fromMs) / Math.max(1, toMs - fromMs);
  return round(LEFT + Math.min(1, Math.max(0, share)) * (WIDTH - LEFT - RIGHT));
}

/** At most twelve round moments with their labels. */
export function ticks(window: TimeWindow): readonly { readonly atMs: number; readonly text: string }[] {
  const lengthMs = Math.max(1, window.toMs - window.fromMs);
  const aim = lengthMs / 10;
  const stepMs = STEPS_MS.find((step) => step >= aim) ?? Math.ceil(aim / DAY_MS) * DAY_MS;
  const first = Math.ceil(window.fromMs / stepMs) * stepMs;
  const count = Math.max(0, Math.floor((window.toMs - first) / stepMs) + 1);
  return Array.from({ length: Math.min(count, 12) }, (_, index) => {
    const atMs = first + index * stepMs;
    const text = runTimeText(atMs);
    return { atMs, text: stepMs >= 1_000 ? text.replace(/\.000$/, '') : text };
  });
}

export function isWithin({ fromMs, toMs }: TimeWindow, window: TimeWindow): boolean {
  return toMs >= window.fromMs && fromMs <= window.toMs;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

import { shortened } from '../../run/time-text.ts';
import { RIGHT, round, type TimeWindow, WIDTH, xOf } from './axis.ts';
import type { Markup } from './markup.ts';

/** A row as drawn: its height, and its shapes for a given y. */
export interface TimelineRow {
  readonly name: string;
  readonly height: number;
  readonly shapes: (y: number) => readonly Markup[];
}

/** The upper bound of the average width of a character. */
export const CHARACTER = 6.2;

/** The visible part of a span, never too narrow to be seen. */
export function extent(
  span: TimeWindow,
  window: TimeWindow,
  least = 1.5,
): { readonly x: number; readonly width: number } {
  const x = Math.min(xOf(span.fromMs, window), WIDTH - RIGHT - least);
  return { x: round(x), width: round(Math.max(least, xOf(span.toMs, window) - x)) };
}

/** A name, shortened for a picture. */
export function nameOf(text: string): string {
  return shortened(text, 40);
}

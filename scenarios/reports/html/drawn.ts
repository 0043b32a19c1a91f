import { shortened } from '../moment.ts';
import { RIGHT, round, WIDTH, type Window, xOf } from './axis.ts';
import type { Markup } from './markup.ts';

/** A lane as drawn: how high it is, and its shapes for a given y. */
export interface Drawn {
  readonly name: string;
  readonly height: number;
  readonly shapes: (y: number) => readonly Markup[];
}

/** How wide a character is at most, on average. */
export const CHARACTER = 6.2;

/** What lies in the window of it, never thinner than can be seen. */
export function extent(
  stretch: Window,
  window: Window,
  least = 1.5,
): { readonly x: number; readonly width: number } {
  const x = Math.min(xOf(stretch.fromMs, window), WIDTH - RIGHT - least);
  return { x: round(x), width: round(Math.max(least, xOf(stretch.toMs, window) - x)) };
}

/** A name as it stands in a picture. */
export function nameOf(text: string): string {
  return shortened(text, 40);
}

import { signal } from '@preact/signals';

/** An action from this page, for the timeline of its vehicle. */
export interface Mark {
  readonly boxId: string;
  readonly atMs: number;
  readonly title: string;
}

const MOST_MARKS = 200;

export const marks = signal<readonly Mark[]>([]);

/** `atMs` is of the page's clock. */
export function addMark(boxId: string, title: string): void {
  marks.value = [...marks.value, { boxId, title, atMs: performance.now() }].slice(-MOST_MARKS);
}

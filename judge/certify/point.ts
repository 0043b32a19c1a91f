import type { Verdict } from '../verdict.ts';

/** One tested promise of the contract. */
export interface PointPlan {
  /** Group and name, such as `problem/404 resource-not-found GET /vehicles/{id}: unknown-id`. */
  readonly id: string;
  /** The promise, in a sentence. */
  readonly about: string;
  /** The source of the promise: `docs/api.md, Problems`. */
  readonly clause: string;
}

export type Point = PointPlan & Verdict;

/** All points, in the order of judging. */
export interface CertifyReport {
  /** Its subject: an address. */
  readonly subject: string;
  readonly points: readonly Point[];
}

/** Whether a point is wanted: any of the texts occurs in its id; no texts: all of them. */
export function isWanted(id: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some((text) => id.toLowerCase().includes(text.toLowerCase()));
}

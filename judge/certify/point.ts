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

/** Whether a point is among these ids; no ids: all of them are. */
export function isWanted(id: string, only: readonly string[]): boolean {
  return only.length === 0 || only.includes(id);
}

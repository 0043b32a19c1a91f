import { limits } from './limits.ts';

/** One promise of the contract that is looked at. */
export interface PointPlan {
  /** Group and name, such as `problem/404 resource-not-found GET /vehicles/{id}: unknown-id`. */
  readonly id: string;
  /** What is promised, in a sentence. */
  readonly about: string;
  /** Where it is promised: `docs/api.md, Problems`. */
  readonly clause: string;
}

/** What came of looking. */
export type PointResult =
  | { readonly result: 'passed'; readonly seen: string }
  | { readonly result: 'failed'; readonly expected: string; readonly came: string }
  | { readonly result: 'not tried'; readonly why: string };

export type Point = PointPlan & PointResult;

/** All points, in the order in which they were judged. */
export interface CertifyReport {
  /** Of what: an address. */
  readonly subject: string;
  readonly points: readonly Point[];
}

export function passed(seen: string): PointResult {
  return { result: 'passed', seen };
}

export function failed(expected: string, came: string): PointResult {
  return { result: 'failed', expected, came: shortened(came) };
}

export function notTried(why: string): PointResult {
  return { result: 'not tried', why };
}

/** Passed where there is nothing to complain of and something was seen; `nothing`: why it may be that nothing was seen. */
export function judged(
  expected: string,
  complaints: readonly string[],
  seen: { readonly count: number; readonly what: string },
  nothing: string,
): PointResult {
  if (complaints.length > 0) return failed(expected, listed(complaints));
  if (seen.count === 0) return notTried(nothing);
  return passed(`${seen.count} ${seen.what}`);
}

/** The first complaints in one text, and how many there are more. */
export function listed(complaints: readonly string[]): string {
  const shown = complaints.slice(0, limits.findings).map(shortened);
  const more = complaints.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

function shortened(text: string): string {
  const all = limits.findings * limits.findingCharacters;
  return text.length <= all ? text : `${text.slice(0, all)}…`;
}

/** Whether a point was asked for: any of the texts occurs in its id; no texts: all of them. */
export function isWanted(id: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some((text) => id.toLowerCase().includes(text.toLowerCase()));
}

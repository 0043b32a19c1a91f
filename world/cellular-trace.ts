/**
 * A recorded cellular link, as the traces of mahimahi (Netravali et al., USENIX ATC 2015) hold it: one line for each
 * opportunity at which a packet of 1,500 bytes may pass, with the milliseconds since the beginning of the recording.
 * Several lines with one stamp are several opportunities. At its last stamp it begins anew. What finds nothing to send
 * at an opportunity has missed it.
 */
export interface CellularTrace {
  /** Rising; the last one is above 0. */
  readonly stampsMs: readonly number[];
}

/** How many bytes pass at one opportunity: the MTU of Ethernet. */
export const OPPORTUNITY_BYTES = 1_500;

/** So many lines are a day at 12 kbit/s, or an hour and a half at 2 Mbit/s. */
const MOST_STAMPS = 1_000_000;

/** A fault names the line, from 1, where one line is to blame. */
export type ReadTrace =
  | { readonly trace: CellularTrace }
  | { readonly fault: { readonly line: number | undefined; readonly what: string } };

/** Reads a trace. Total: whatever the text, a trace or what is wrong with it. Empty lines are passed over. */
export function readCellularTrace(text: string): ReadTrace {
  const stampsMs: number[] = [];
  let line = 0;
  for (const raw of text.split('\n')) {
    line += 1;
    const word = raw.trim();
    if (word === '') continue;
    const faultAt = (what: string): ReadTrace => ({ fault: { line, what } });
    if (!/^\d{1,15}$/.test(word))
      return faultAt(`'${word.slice(0, 40)}' is no whole number of milliseconds; write one on each line`);
    const stampMs = Number(word);
    const before = stampsMs.at(-1) ?? 0;
    if (stampMs < before) return faultAt(`${stampMs} comes after ${before}; the stamps must rise`);
    if (stampsMs.length === MOST_STAMPS)
      return faultAt(`a trace has at most ${MOST_STAMPS} stamps; cut the file here`);
    stampsMs.push(stampMs);
  }
  if (stampsMs.length === 0)
    return { fault: { line: undefined, what: 'there is no stamp in it; write one number on each line' } };
  if (stampsMs.at(-1) === 0)
    return { fault: { line, what: 'the last stamp is how long the trace lasts and must be above 0' } };
  return { trace: { stampsMs } };
}

/** The opportunity that was used last, counted over all rounds, and how much of it. */
export interface Cursor {
  readonly opportunity: number;
  readonly usedBytes: number;
}

export const FIRST_CURSOR: Cursor = { opportunity: 0, usedBytes: 0 };

/**
 * When `bytes` that are handed over at `atMs` have passed a link that plays `trace` since `sinceMs`, behind what was
 * handed over before (`cursor`). A packet larger than what is left of an opportunity goes on at the next one.
 */
export function passing(
  trace: CellularTrace,
  sinceMs: number,
  cursor: Cursor,
  atMs: number,
  bytes: number,
): { readonly cursor: Cursor; readonly passedMs: number } {
  const first = Math.max(firstAtOrAfter(trace, atMs - sinceMs), cursor.opportunity);
  const usedBytes = first === cursor.opportunity ? cursor.usedBytes : 0;
  const roomBytes = OPPORTUNITY_BYTES - usedBytes;
  const more = Math.max(0, Math.ceil((bytes - roomBytes) / OPPORTUNITY_BYTES));
  const opportunity = first + more;
  return {
    cursor: {
      opportunity,
      usedBytes: more === 0 ? usedBytes + bytes : bytes - roomBytes - (more - 1) * OPPORTUNITY_BYTES,
    },
    passedMs: sinceMs + stampOf(trace, opportunity),
  };
}

function stampOf({ stampsMs }: CellularTrace, opportunity: number): number {
  const round = Math.floor(opportunity / stampsMs.length);
  const periodMs = stampsMs.at(-1) ?? 0;
  return round * periodMs + (stampsMs[opportunity - round * stampsMs.length] ?? 0);
}

/** The first opportunity at `fromMs` or later. A round's end belongs to it: its last stamp is there. */
function firstAtOrAfter({ stampsMs }: CellularTrace, fromMs: number): number {
  if (fromMs <= 0) return 0;
  const periodMs = stampsMs.at(-1) ?? 1;
  const round = Math.ceil(fromMs / periodMs) - 1;
  const restMs = fromMs - round * periodMs;
  let low = 0;
  let high = stampsMs.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((stampsMs[middle] ?? 0) < restMs) low = middle + 1;
    else high = middle;
  }
  return round * stampsMs.length + low;
}

/**
 * A recorded cellular link in the trace format of mahimahi (Netravali et al., USENIX ATC 2015): one line for
 * each opportunity at which a packet of 1,500 bytes may pass, with the milliseconds since the beginning of
 * the recording. Several lines with the same stamp are several opportunities. After the last stamp the trace
 * begins again. An opportunity without data to send is lost.
 */
export interface CellularTrace {
  /** Rising; the last one is above 0. */
  readonly stampsMs: readonly number[];
}

/** How many bytes pass at one opportunity: the MTU of Ethernet. */
export const OPPORTUNITY_BYTES = 1_500;

/** This many lines are a day at 12 kbit/s, or an hour and a half at 2 Mbit/s. */
const MAX_STAMPS = 1_000_000;

/** A fault names the line, from 1, if it is in one line. */
export type CellularTraceResult =
  | { readonly trace: CellularTrace }
  | { readonly fault: { readonly line: number | undefined; readonly what: string } };

/** Reads a trace. Total: returns a trace or a fault for any text. Empty lines are skipped. */
export function readCellularTrace(text: string): CellularTraceResult {
  const stampsMs: number[] = [];
  let line = 0;
  for (const raw of text.split('\n')) {
    line += 1;
    const word = raw.trim();
    if (word === '') continue;
    const faultAt = (what: string): CellularTraceResult => ({ fault: { line, what } });
    if (!/^\d{1,15}$/.test(word))
      return faultAt('this is not a whole number of milliseconds; write one on each line');
    const stampMs = Number(word);
    const before = stampsMs.at(-1) ?? 0;
    if (stampMs < before) return faultAt(`${stampMs} comes after ${before}; the stamps must rise`);
    if (stampsMs.length === MAX_STAMPS)
      return faultAt(`a trace has at most ${MAX_STAMPS} stamps; cut the file here`);
    stampsMs.push(stampMs);
  }
  if (stampsMs.length === 0)
    return { fault: { line: undefined, what: 'there is no stamp in it; write one number on each line' } };
  if (stampsMs.at(-1) === 0)
    return { fault: { line, what: 'the last stamp is how long the trace lasts and must be above 0' } };
  return { trace: { stampsMs } };
}

/** The opportunity that was used last, counted over all repetitions, and how much of it. */
export interface TraceCursor {
  readonly opportunity: number;
  readonly usedBytes: number;
}

export const FIRST_TRACE_CURSOR: TraceCursor = { opportunity: 0, usedBytes: 0 };

/**
 * When `bytes` that are sent at `atMs` have passed a link that plays `trace` since `sinceMs`, after
 * everything that was sent before (`cursor`). A packet larger than the rest of an opportunity continues at
 * the next one.
 */
export function transmit(
  trace: CellularTrace,
  sinceMs: number,
  cursor: TraceCursor,
  atMs: number,
  bytes: number,
): { readonly cursor: TraceCursor; readonly passedMs: number } {
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

/**
 * The first opportunity at `fromMs` or later. The end of a repetition belongs to it: its last stamp is there.
 */
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

import { at, ENVELOPE_BYTES, MAGIC } from '../protocol/envelope.ts';
import { KINDS, type KindName } from '../protocol/kinds.ts';

/** Where the frame ends that begins at `start`, by its header alone; -1: what stands there is no whole frame. */
export function frameEnd(payload: Uint8Array, start: number): number {
  if (payload[start] !== MAGIC || start + ENVELOPE_BYTES > payload.byteLength) return -1;
  const high = payload[start + at.length] ?? 0;
  const low = payload[start + at.length + 1] ?? 0;
  const end = start + ENVELOPE_BYTES + high * 0x100 + low;
  return end > payload.byteLength ? -1 : end;
}

/** The code of the kind of the frame that begins at `start`. */
export function kindAt(payload: Uint8Array, start: number): number {
  return payload[start + at.kind] ?? 0;
}

/** Whether each code of a kind is meant, by the code. */
export type Codes = readonly boolean[];

/**
 * Whether a payload has to be decoded to know what its frames of these kinds say. What is not frames from end to end
 * may hold anything: that is for the decoder to find.
 */
export function holdsAny(payload: Uint8Array, codes: Codes): boolean {
  for (let start = 0; start < payload.byteLength; ) {
    const end = frameEnd(payload, start);
    if (end < 0 || codes[kindAt(payload, start)] === true) return true;
    start = end;
  }
  return false;
}

/** The codes of these kinds. */
export function codesOf(kinds: ReadonlySet<KindName>): Codes {
  const codes = new Array<boolean>(0x100).fill(false);
  for (const { name, code } of KINDS) codes[code] = kinds.has(name);
  return codes;
}

import { ENVELOPE_BYTES, headerOffsets, MAGIC } from '../../../protocol/codec/envelope.ts';
import { MESSAGE_KINDS, type MessageKindName } from '../../../protocol/message-kinds.ts';

/** The end of the frame that begins at `start`, by its header alone; -1: it is not a complete frame. */
function frameEnd(payload: Uint8Array, start: number): number {
  if (payload[start] !== MAGIC || start + ENVELOPE_BYTES > payload.byteLength) return -1;
  const high = payload[start + headerOffsets.length] ?? 0;
  const low = payload[start + headerOffsets.length + 1] ?? 0;
  const end = start + ENVELOPE_BYTES + high * 0x100 + low;
  return end > payload.byteLength ? -1 : end;
}

/** The code of the kind of the frame at `start`. */
function kindCodeAt(payload: Uint8Array, start: number): number {
  return payload[start + headerOffsets.kind] ?? 0;
}

/** Whether each kind is included, by its code. */
export type KindCodes = readonly boolean[];

/**
 * Whether a payload may hold frames of these kinds and must be decoded. True also for a payload that is not a
 * sequence of complete frames, which only the decoder can judge.
 */
export function holdsAnyKind(payload: Uint8Array, codes: KindCodes): boolean {
  for (let start = 0; start < payload.byteLength; ) {
    const end = frameEnd(payload, start);
    if (end < 0 || codes[kindCodeAt(payload, start)] === true) return true;
    start = end;
  }
  return false;
}

/** The codes of these kinds. */
export function codesOf(kinds: ReadonlySet<MessageKindName>): KindCodes {
  const codes = new Array<boolean>(0x100).fill(false);
  for (const { name, code } of MESSAGE_KINDS) codes[code] = kinds.has(name);
  return codes;
}

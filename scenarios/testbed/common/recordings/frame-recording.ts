import type { RecordedFrame } from '../../../../judge/evidence/evidence.ts';
import { ALL_FRAME_KINDS } from '../../../../judge/recordings.ts';
import { decodePayload } from '../../../../protocol/codec/frame.ts';
import type { MessageKindName } from '../../../../protocol/message-kinds.ts';
import { testbedLimits } from '../../../limits.ts';
import { codesOf, holdsAnyKind, type KindCodes } from '../frame-ends.ts';

/** Time (6 bytes, whole milliseconds), direction (1), length of the payload (4), payload. */
const HEAD_BYTES = 11;
const FIRST_BYTES = 512;

/** The payloads on the wire of each box, kept as bytes and decoded on demand. */
export class FrameRecording {
  readonly #kinds: ReadonlySet<MessageKindName>;
  readonly #codes: KindCodes;
  readonly #logs = new Map<string, { bytes: Buffer; end: number }>();
  #totalBytes = 0;
  #dropped = 0;

  /** Payloads without any frame of these kinds are not kept. */
  constructor(kinds: ReadonlySet<MessageKindName> = ALL_FRAME_KINDS) {
    this.#kinds = kinds;
    this.#codes = codesOf(kinds);
  }

  /** Payloads that were dropped because the recording was full. */
  get dropped(): number {
    return this.#dropped;
  }

  record(boxId: string, direction: RecordedFrame['direction'], atMs: number, payload: Uint8Array): void {
    if (!holdsAnyKind(payload, this.#codes)) return;
    const size = HEAD_BYTES + payload.byteLength;
    if (this.#totalBytes + size > testbedLimits.framesBytes) {
      this.#dropped += 1;
      return;
    }
    this.#totalBytes += size;
    let log = this.#logs.get(boxId);
    if (log === undefined) {
      log = { bytes: Buffer.allocUnsafeSlow(FIRST_BYTES), end: 0 };
      this.#logs.set(boxId, log);
    }
    if (log.end + size > log.bytes.byteLength) {
      const larger = Buffer.allocUnsafeSlow(2 * (log.end + size));
      log.bytes.copy(larger, 0, 0, log.end);
      log.bytes = larger;
    }
    log.bytes.writeUIntBE(atMs, log.end, 6);
    log.bytes.writeUInt8(direction === 'up' ? 1 : 0, log.end + 6);
    log.bytes.writeUInt32BE(payload.byteLength, log.end + 7);
    log.bytes.set(payload, log.end + HEAD_BYTES);
    log.end += size;
  }

  /**
   * The frames of a box of these kinds, oldest first; other frames of the same payloads may be included.
   * Throws for a kind that is not kept.
   */
  *frames(boxId: string, kinds: ReadonlySet<MessageKindName>): Generator<RecordedFrame> {
    const missing = [...kinds].filter((kind) => !this.#kinds.has(kind));
    if (missing.length > 0) throw new Error(`Frames of the kind ${missing.join(', ')} were not kept.`);
    const log = this.#logs.get(boxId);
    if (log === undefined) return;
    const codes = codesOf(kinds);
    for (let at = 0; at < log.end; ) {
      const atMs = log.bytes.readUIntBE(at, 6);
      const direction = log.bytes.readUInt8(at + 6) === 1 ? 'up' : 'down';
      const end = at + HEAD_BYTES + log.bytes.readUInt32BE(at + 7);
      const payload = log.bytes.subarray(at + HEAD_BYTES, end);
      at = end;
      if (!holdsAnyKind(payload, codes)) continue;
      for (const { frame } of decodePayload(payload).frames) {
        const { epoch, sequence, clockMs, message } = frame;
        yield { atMs, direction, epoch, sequence, clockMs, message };
      }
    }
  }
}

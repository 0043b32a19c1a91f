import { decodePayload } from '../../protocol/frame.ts';
import type { KindName } from '../../protocol/kinds.ts';
import { type Codes, codesOf, holdsAny } from '../frame-ends.ts';
import { ALL_KINDS } from '../run/books.ts';
import type { SeenFrame } from '../run/evidence.ts';
import { limits } from './limits.ts';

/** Time (6 bytes, whole milliseconds), direction (1), length of the payload (4), payload. */
const HEAD_BYTES = 11;
const FIRST_BYTES = 512;

/** What crossed the wire of each box, in as few bytes as it had there; read only when somebody asks. */
export class FrameLog {
  readonly #kinds: ReadonlySet<KindName>;
  readonly #codes: Codes;
  readonly #logs = new Map<string, { bytes: Buffer; end: number }>();
  #sum = 0;
  #dropped = 0;

  /** Payloads without any frame of these kinds are not kept. */
  constructor(kinds: ReadonlySet<KindName> = ALL_KINDS) {
    this.#kinds = kinds;
    this.#codes = codesOf(kinds);
  }

  /** Payloads that found no room. */
  get dropped(): number {
    return this.#dropped;
  }

  take(boxId: string, direction: SeenFrame['direction'], atMs: number, payload: Uint8Array): void {
    if (!holdsAny(payload, this.#codes)) return;
    const size = HEAD_BYTES + payload.byteLength;
    if (this.#sum + size > limits.framesBytes) {
      this.#dropped += 1;
      return;
    }
    this.#sum += size;
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
   * The frames of a box of these kinds, oldest first; others that crossed the wire in one payload with them may come
   * too. Throws where a kind is asked for that is not kept.
   */
  *frames(boxId: string, kinds: ReadonlySet<KindName>): Generator<SeenFrame> {
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
      if (!holdsAny(payload, codes)) continue;
      for (const { frame } of decodePayload(payload).frames) {
        const { epoch, sequence, clockMs, message } = frame;
        yield { atMs, direction, epoch, sequence, clockMs, message };
      }
    }
  }
}

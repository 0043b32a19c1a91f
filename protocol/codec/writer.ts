import type { NumberField, Room } from '../layouts/layout.ts';

/**
 * Memory for frames is allocated in slabs of this size: one allocation for each frame would take longer than
 * writing it. One frame that is kept keeps its slab: a larger one would cost a parked box more than all else.
 */
const SLAB_BYTES = 8_192;
/** Up to this size the engine keeps bytes within their object, which costs less than a view of a slab. */
const SMALL_BYTES = 64;

/**
 * Bytes that are written by a layout. `room` must suffice for every frame: test/unit/protocol/limits.test.ts
 * shows that it does.
 */
export class FrameWriter {
  bytes = new Uint8Array(0);
  view = new DataView(this.bytes.buffer);
  at = 0;
  readonly #room: number;
  /** All bytes before this offset belong to finished frames. */
  #free = 0;

  constructor(room: number) {
    this.#room = room;
  }

  /** Where the next frame begins; `room` bytes are available from there. */
  begin(): number {
    if (this.#free + this.#room > this.bytes.length) {
      this.bytes = new Uint8Array(Math.max(SLAB_BYTES, this.#room));
      this.view = new DataView(this.bytes.buffer);
      this.#free = 0;
    }
    return this.#free;
  }

  /** The bytes from `start` to `end`; they are never written again. */
  take(start: number, end: number): Uint8Array {
    if (end - start <= SMALL_BYTES) return this.bytes.slice(start, end);
    this.#free = end;
    return this.bytes.subarray(start, end);
  }
}

/** The number on the wire that is nearest to a value. NaN counts as 0. */
export function wireNumberOf(field: NumberField, value: number): number {
  if (Number.isNaN(value)) return Math.min(Math.max(0, field.minimum), field.maximum);
  const raw =
    field.multiplier === 1 && field.divisor === 1
      ? Math.round(value)
      : Math.round((value * field.divisor) / field.multiplier);
  if (raw === field.special) return raw;
  if (field.wraps && Number.isFinite(raw)) {
    const turn = field.maximum + 1;
    return ((raw % turn) + turn) % turn;
  }
  return Math.min(Math.max(raw, field.minimum), field.maximum);
}

/** Writes a number without scaling. */
export function writeRaw(writer: FrameWriter, bytes: NumberField['bytes'], raw: number): void {
  const { at, view } = writer;
  writer.at = at + bytes;
  switch (bytes) {
    case 1:
      view.setUint8(at, raw);

      break;
    case 2:
      view.setUint16(at, raw);

      break;
    case 3:
      view.setUint8(at, Math.floor(raw / 0x1_0000));
      view.setUint16(at + 1, raw);

      break;
    case 4:
      view.setUint32(at, raw);

      break;
    case 6:
      view.setUint16(at, Math.floor(raw / 0x1_0000_0000));
      view.setUint32(at + 2, raw);

      break;
    default:
      bytes satisfies never;
  }
}

/** Writes bytes, with count byte and unused bytes if the form has them. */
export function writeBytes(writer: FrameWriter, room: Room, most: number, data: Uint8Array): void {
  if (room !== 'rest') writeRaw(writer, 1, data.length);
  writer.bytes.set(data, writer.at);
  writer.at += data.length;
  if (room === 'slots') writeZeros(writer, most - data.length);
}

/** Writes unused bytes. */
export function writeZeros(writer: FrameWriter, count: number): void {
  writer.bytes.fill(0, writer.at, writer.at + count);
  writer.at += count;
}

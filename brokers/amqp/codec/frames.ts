/** type u8 | channel u16 | size u32 | payload | 0xce (AMQP 0-9-1 section 2.3.5) */
export const FRAME = { method: 1, header: 2, body: 3, heartbeat: 8 } as const;
const HEAD_BYTES = 7;
const END = 0xce;
/** Header and end octet: a payload has at most frame_max minus these. */
export const FRAME_OVERHEAD = HEAD_BYTES + 1;

export interface AmqpFrame {
  readonly type: number;
  readonly channel: number;
  readonly payload: Uint8Array;
}

export type ParsedFrame =
  | { readonly kind: 'frame'; readonly frame: AmqpFrame }
  /** More bytes are needed. */
  | { readonly kind: 'part' }
  | { readonly kind: 'fault'; readonly channel: number; readonly reason: string };

/** Splits a stream into frames, however it is chunked. It buffers at most one frame beyond the last chunk. */
export class FrameParser {
  #pieces: Uint8Array[] = [];
  #held = 0;

  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#pieces.push(bytes);
    this.#held += bytes.length;
  }

  get heldBytes(): number {
    return this.#held;
  }

  /** The first eight bytes of a connection, or undefined until they have arrived. */
  takeProtocolHeader(): Uint8Array | undefined {
    return this.#held < 8 ? undefined : this.#take(8);
  }

  /** The next frame. `frameMax` counts the whole frame. */
  next(frameMax: number): ParsedFrame {
    if (this.#held < HEAD_BYTES) return { kind: 'part' };
    const head = this.#peek(HEAD_BYTES);
    const [type, channel, size] = [head.readUInt8(0), head.readUInt16BE(1), head.readUInt32BE(3)];
    if (type !== FRAME.method && type !== FRAME.header && type !== FRAME.body && type !== FRAME.heartbeat) {
      return { kind: 'fault', channel, reason: `type ${type} is unknown` };
    }
    if (size > frameMax - FRAME_OVERHEAD) {
      const reason = `type ${type}, a payload of ${size} bytes is larger than frame_max ${frameMax} allows`;
      return { kind: 'fault', channel, reason };
    }
    if (this.#held < size + FRAME_OVERHEAD) return { kind: 'part' };
    const whole = this.#take(size + FRAME_OVERHEAD);
    if (whole[whole.length - 1] !== END) {
      return {
        kind: 'fault',
        channel,
        reason: `type ${type}, the frame of ${size} bytes has a wrong end octet`,
      };
    }
    return { kind: 'frame', frame: { type, channel, payload: whole.subarray(HEAD_BYTES, whole.length - 1) } };
  }

  #peek(count: number): Buffer {
    const first = this.#pieces[0];
    if (first === undefined || first.length < count) this.#join();
    return asBuffer(this.#pieces[0] ?? new Uint8Array()).subarray(0, count);
  }

  #take(count: number): Uint8Array {
    const first = this.#pieces[0];
    if (first === undefined || first.length < count) this.#join();
    const joined = this.#pieces[0] ?? new Uint8Array();
    this.#held -= count;
    if (joined.length === count) this.#pieces.shift();
    else this.#pieces[0] = joined.subarray(count);
    return joined.subarray(0, count);
  }

  #join(): void {
    this.#pieces = [Buffer.concat(this.#pieces)];
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** One frame as bytes. */
export function encodeAmqpFrame(type: number, channel: number, payload: Uint8Array): Uint8Array {
  const frame = Buffer.allocUnsafe(payload.length + FRAME_OVERHEAD);
  frame.writeUInt8(type, 0);
  frame.writeUInt16BE(channel, 1);
  frame.writeUInt32BE(payload.length, 3);
  frame.set(payload, HEAD_BYTES);
  frame.writeUInt8(END, frame.length - 1);
  return frame;
}

export const HEARTBEAT_FRAME = encodeAmqpFrame(FRAME.heartbeat, 0, new Uint8Array());

/** A body as frames of at most `frameMax` bytes; none if it is empty. */
export function encodeBody(channel: number, body: Uint8Array, frameMax: number): readonly Uint8Array[] {
  const frames: Uint8Array[] = [];
  const step = frameMax - FRAME_OVERHEAD;
  for (let start = 0; start < body.length; start += step) {
    frames.push(encodeAmqpFrame(FRAME.body, channel, body.subarray(start, start + step)));
  }
  return frames;
}

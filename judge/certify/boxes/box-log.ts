import { type DecodedPayload, decodePayload } from '../../../protocol/codec/frame.ts';
import type { Frame, Message } from '../../../protocol/message.ts';
import { parseTopic } from '../../../protocol/topics.ts';
import { limits } from '../limits.ts';

/** One frame of a box, or to it. */
export interface LoggedFrame {
  readonly atMs: number;
  readonly direction: 'up' | 'down';
  readonly channel: 'up' | 'down' | 'presence';
  /** It is a retained message. */
  readonly isRetained: boolean;
  readonly frame: Frame;
  /** The bytes of the frame, in hex. */
  readonly bytes: string;
}

/** A payload that could not be read, or arrived on the wrong topic. */
export interface LoggedFault {
  readonly atMs: number;
  readonly text: string;
}

/** All traffic between one box and the service that we replace. */
export class BoxLog {
  readonly boxId: string;
  readonly frames: LoggedFrame[] = [];
  readonly faults: LoggedFault[] = [];
  #payloads = 0;

  constructor(boxId: string) {
    this.boxId = boxId;
  }

  /** Payloads that came from the box. */
  get payloads(): number {
    return this.#payloads;
  }

  /** Takes a payload of the box, and returns its frames. */
  take(atMs: number, topic: string, payload: Uint8Array, isRetained: boolean): readonly Frame[] {
    this.#payloads += 1;
    const place = parseTopic(topic);
    if (place === undefined)
      this.#fault(atMs, `It published on ${topic}, which is no topic of its partition.`);
    const { frames, faults }: DecodedPayload = decodePayload(payload);
    for (const { fault } of faults)
      this.#fault(
        atMs,
        `A payload of ${payload.length} bytes on ${topic}: ${fault.fault} at byte ${fault.offset}. ${fault.detail}`,
      );
    const channel = place?.channel ?? 'up';
    for (const { frame, start, end } of frames) {
      const bytes = Buffer.from(payload.subarray(start, end)).toString('hex');
      this.#add({ atMs, direction: 'up', channel, isRetained, frame, bytes });
    }
    return frames.map(({ frame }) => frame);
  }

  sent(atMs: number, frame: Frame): void {
    this.#add({ atMs, direction: 'down', channel: 'down', isRetained: false, frame, bytes: '' });
  }

  /** The first matching frame from the box, at this time or later. */
  find<M extends Message['kind']>(
    kind: M,
    sinceMs: number,
    fits: (frame: Frame, message: Extract<Message, { readonly kind: M }>) => boolean = () => true,
  ): LoggedFrame | undefined {
    return this.frames.find(
      ({ atMs, direction, isRetained, frame }) =>
        direction === 'up' &&
        !isRetained &&
        atMs >= sinceMs &&
        frame.message.kind === kind &&
        fits(frame, frame.message as Extract<Message, { readonly kind: M }>),
    );
  }

  /** How often the box has sent a record since then. */
  timesSent(epoch: number, sequence: number, sinceMs: number): number {
    return this.frames.filter(
      ({ direction, atMs, frame }) =>
        direction === 'up' && atMs >= sinceMs && frame.epoch === epoch && frame.sequence === sequence,
    ).length;
  }

  #add(entry: LoggedFrame): void {
    if (this.frames.length < limits.keptFrames) this.frames.push(entry);
  }

  #fault(atMs: number, text: string): void {
    if (this.faults.length < limits.keptFrames) this.faults.push({ atMs, text });
  }
}

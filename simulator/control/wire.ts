import { decodePayload } from '../../protocol/frame.ts';
import { describeFault, describeFrame } from '../../protocol/picture.ts';
import { limits } from './limits.ts';

/** A payload as it passed between a box and its broker. */
export interface TappedFrame {
  readonly direction: 'up' | 'down';
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

/** Where the face hears what passes. */
export interface WireTap {
  /** Calls `hear` with every payload of that box from now on; the returned function ends that. */
  listen(boxId: string, hear: (frame: TappedFrame) => void): () => void;
}

/** One line of the wire stream: a frame, or bytes that were none. */
export interface WireLine {
  readonly boxId: string;
  readonly direction: 'up' | 'down';
  /** ISO 8601, UTC, with milliseconds. */
  readonly at: string;
  /** Where in its payload it stood. */
  readonly offset: number;
  readonly hex: string;
  readonly title: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The name of the fault, for bytes that were no frame. */
  readonly fault?: string;
}

/** A payload as lines, in the order of its bytes. */
export function wireLines(boxId: string, { direction, atMs, bytes }: TappedFrame): readonly WireLine[] {
  const { frames, faults } = decodePayload(bytes);
  const parts = [
    ...frames.map((placed) => ({ ...placed, picture: describeFrame(placed), fault: undefined })),
    ...faults.map((spoiled) => ({ ...spoiled, picture: describeFault(spoiled), fault: spoiled.fault.fault })),
  ].sort((one, other) => one.start - other.start);
  return parts.map(({ start, end, picture, fault }) => ({
    boxId,
    direction,
    at: new Date(atMs).toISOString(),
    offset: start,
    hex: hexOf(bytes.subarray(start, end)),
    ...picture,
    ...(fault === undefined ? {} : { fault }),
  }));
}

/**
 * What passes on a box's wire as NDJSON, until the reader goes. It begins with an empty line, so that a reader knows
 * at once that it listens. To a reader who is too slow lines are lost, and one line says how many.
 */
export function wireStream(tap: WireTap, boxId: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stop = () => {};
  let leftOut = 0;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode('\n'));
        stop = tap.listen(boxId, (frame) => {
          for (const line of wireLines(boxId, frame)) {
            if ((controller.desiredSize ?? 0) <= 1) {
              leftOut += 1;
              continue;
            }
            if (leftOut > 0) controller.enqueue(encoder.encode(`${JSON.stringify(gap(line, leftOut))}\n`));
            leftOut = 0;
            controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
          }
        });
      },
      cancel() {
        stop();
      },
    },
    { highWaterMark: limits.waitingLines },
  );
}

function gap({ boxId, direction, at }: WireLine, lines: number): WireLine {
  const title = `${lines} lines were left out: the reader is too slow`;
  return { boxId, direction, at, offset: 0, hex: '', title, fields: [] };
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

import { decodePayload } from '../../protocol/codec/frame.ts';
import { describeFault, describeFrame } from '../../protocol/codec/frame-description.ts';
import type { Frame } from '../../protocol/message.ts';
import { controlLimits } from '../limits.ts';
import type { FrameStreamLine, FrameSummary } from './frame-line.ts';

/** A payload that passed between a box and its broker. */
export interface TappedPayload {
  readonly direction: 'up' | 'down';
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

/** The source of the frames for the control API. */
export interface FrameTap {
  /** Calls `hear` with every payload of this box from now on; the returned function stops that. */
  listen(boxId: string, hear: (frame: TappedPayload) => void): () => void;
}

/** The lines of a payload, in the order of its bytes. */
export function frameStreamLines(
  boxId: string,
  { direction, atMs, bytes }: TappedPayload,
): readonly FrameStreamLine[] {
  const { frames, faults } = decodePayload(bytes);
  const parts = [
    ...frames.map((decoded) => ({
      ...decoded,
      picture: describeFrame(decoded),
      detail: { frame: frameSummary(decoded.frame) },
    })),
    ...faults.map((spoiled) => ({
      ...spoiled,
      picture: describeFault(spoiled),
      detail: { fault: spoiled.fault.fault },
    })),
  ].sort((one, other) => one.start - other.start);
  return parts.map(({ start, end, picture, detail }) => ({
    boxId,
    direction,
    at: new Date(atMs).toISOString(),
    offset: start,
    hex: hexOf(bytes.subarray(start, end)),
    ...picture,
    ...detail,
  }));
}

function frameSummary({ epoch, sequence, clockMs, message }: Frame): FrameSummary {
  return {
    kind: message.kind,
    epoch,
    sequence,
    ...(clockMs === 0 ? {} : { clock: new Date(clockMs).toISOString() }),
    ...(message.kind === 'receipt'
      ? { received: { contiguous: message.contiguous, ranges: message.ranges } }
      : {}),
  };
}

/**
 * A box's frames in both directions as NDJSON, until the reader disconnects. It begins with an empty line, so
 * that a reader immediately knows that the stream is open. If the reader is too slow, lines are dropped, and
 * one line says how many.
 */
export function frameStream(frameTap: FrameTap, boxId: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stop = () => {};
  let leftOut = 0;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode('\n'));
        stop = frameTap.listen(boxId, (frame) => {
          for (const line of frameStreamLines(boxId, frame)) {
            if ((controller.desiredSize ?? 0) <= 1) {
              leftOut += 1;
              continue;
            }
            if (leftOut > 0)
              controller.enqueue(encoder.encode(`${JSON.stringify(leftOutLine(line, leftOut))}\n`));
            leftOut = 0;
            controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
          }
        });
      },
      cancel() {
        stop();
      },
    },
    { highWaterMark: controlLimits.waitingLines },
  );
}

function leftOutLine({ boxId, direction, at }: FrameStreamLine, lines: number): FrameStreamLine {
  const title = `${lines} lines were left out: the reader is too slow`;
  return { boxId, direction, at, offset: 0, hex: '', title, fields: [] };
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

import { unsigned } from '../layouts/fields.ts';
import { wireLimits } from '../limits.ts';
import type { Frame } from '../message.ts';
import { kindOf, kindOfCode } from '../message-kinds.ts';
import { WRITERS } from './coding.ts';
import {
  CHECKSUM_BYTES,
  ENVELOPE_BYTES,
  HEADER_BYTES,
  hasValidHeader,
  readHeader,
  writeEnvelope,
} from './envelope.ts';
import type { FrameFault } from './fault.ts';
import { PayloadScan } from './payload-scan.ts';
import { FrameWriter, wireNumberOf } from './writer.ts';

/**
 * The content of a payload. Frames and faults are in the order of their bytes; together they cover every byte
 * once.
 */
export interface DecodedPayload {
  readonly frames: readonly DecodedFrame[];
  readonly faults: readonly InvalidBytes[];
}

/** A frame and its bytes: from `start` up to but not including `end`. */
export interface DecodedFrame {
  readonly frame: Frame;
  readonly start: number;
  readonly end: number;
}

/** A fault, its bytes, and the key of the record, if the header was intact. */
export interface InvalidBytes {
  readonly fault: FrameFault;
  readonly start: number;
  readonly end: number;
  readonly key?: { readonly generation: number; readonly epoch: number; readonly sequence: number };
}

const FOUR_BYTES = unsigned(4);
const BOOT = unsigned(2);
const SEQUENCE = unsigned(4, { minimum: 1, maximum: wireLimits.highestSequence });
const CLOCK = unsigned(6);

/** One writer for all frames: encoding is synchronous and not recursive. */
const writer = new FrameWriter(ENVELOPE_BYTES + wireLimits.framePayloadBytes);

/**
 * The bytes of a frame. Total: a value outside its bounds is clamped, so that the result can always be
 * decoded. A sequence is written only for kinds that the journal keeps, the boot count only upwards;
 * otherwise both are 0.
 */
export function encodeFrame(frame: Frame): Uint8Array {
  const generation = frame.generation === 1 ? 1 : 2;
  const kind = kindOf(frame.message);
  const start = writer.begin();
  writer.at = start + HEADER_BYTES;
  WRITERS[generation][kind.name](writer, frame.message);
  const header = {
    version: generation,
    kind: kind.code,
    length: writer.at - start - HEADER_BYTES,
    epoch: wireNumberOf(FOUR_BYTES, frame.epoch),
    boot: kind.direction === 'up' ? wireNumberOf(BOOT, frame.boot) : 0,
    sequence: kind.kept ? wireNumberOf(SEQUENCE, frame.sequence) : 0,
    clockMs: wireNumberOf(CLOCK, frame.clockMs),
  };
  writeEnvelope(writer.bytes, writer.view, header, start);
  return writer.take(start, writer.at + CHECKSUM_BYTES);
}

/**
 * Several frames as one payload, in their order. The caller must respect the payload limits of
 * protocol/limits.ts.
 */
export function payloadOf(frames: readonly Frame[]): Uint8Array {
  const parts = frames.map((frame) => encodeFrame(frame));
  const payload = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    payload.set(part, end);
    end += part.length;
  }
  return payload;
}

/**
 * All frames of a payload. Total: never throws, whatever the bytes. An invalid frame does not affect valid
 * ones: after it every later offset is tried, including the bytes that the invalid frame claims. The work is
 * bounded: each offset is tried once, for at most one header and one checksum of a frame's greatest length,
 * and after 256 frames or 257 faults the rest is not read. The frames contain copies of their bytes, so the
 * payload's buffer may be reused.
 */
export function decodePayload(bytes: Uint8Array): DecodedPayload {
  const scan = new PayloadScan(bytes);
  if (bytes.length > wireLimits.payloadBytes) {
    const detail = `The payload has ${bytes.length} bytes, more than ${wireLimits.payloadBytes}.`;
    scan.beginInvalid({ fault: 'too-large', offset: 0, detail }, 0);
    scan.endInvalid(bytes.length);
  } else {
    scan.run();
  }
  return { frames: scan.frames, faults: scan.faults };
}

/**
 * Whether a payload has nothing but reports and heartbeats, which have no waiting reader, by the headers of its frames. Total:
 * false for bytes that are no frames, and for an empty payload.
 */
export function hasOnlyReports(bytes: Uint8Array): boolean {
  let here = 0;
  while (here < bytes.length) {
    if (!hasValidHeader(bytes, here)) return false;
    const { kind, length } = readHeader(bytes, here);
    const name = kindOfCode(kind)?.name;
    if (name !== 'report' && name !== 'heartbeat') return false;
    here += ENVELOPE_BYTES + length;
  }
  return here > 0;
}

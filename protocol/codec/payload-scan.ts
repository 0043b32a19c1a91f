import { wireLimits } from '../limits.ts';
import type { Frame, Generation, Message } from '../message.ts';
import { kindOfCode } from '../message-kinds.ts';
import { READERS } from './coding.ts';
import { ByteCursor } from './cursor.ts';
import {
  CHECKSUM_BYTES,
  ENVELOPE_BYTES,
  type FrameHeader,
  HEADER_BYTES,
  hasValidChecksum,
  hasValidHeader,
  headerOffsets,
  MAGIC,
  readHeader,
} from './envelope.ts';
import type { FrameFault } from './fault.ts';
import type { DecodedFrame, InvalidBytes } from './frame.ts';

/** One pass over a payload. */
export class PayloadScan {
  readonly frames: DecodedFrame[] = [];
  readonly faults: InvalidBytes[] = [];
  readonly #cursor: ByteCursor;
  /** The current range of invalid bytes, and where it ends unless a header comes earlier. */
  #invalid: (Omit<InvalidBytes, 'end'> & { readonly reach: number }) | undefined;

  constructor(bytes: Uint8Array) {
    this.#cursor = new ByteCursor(bytes);
  }

  /** Scans from the first byte to the last. */
  run(): void {
    const { bytes } = this.#cursor;
    let here = 0;
    while (here < bytes.length) {
      if (hasValidHeader(bytes, here)) {
        this.endInvalid(here);
        if (this.#isFull(here)) break;
        here = this.#takeFrame(here);
        continue;
      }
      if (this.#invalid?.reach === here) this.endInvalid(here);
      if (this.#invalid === undefined) {
        if (this.#isFull(here)) break;
        this.beginInvalid(strayFault(bytes, here), here);
      }
      here = this.#nextPlace(here);
    }
    this.endInvalid(bytes.length);
  }

  /** Begins a range of invalid bytes. */
  beginInvalid(
    fault: FrameFault,
    start: number,
    reach = this.#cursor.bytes.length,
    key?: InvalidBytes['key'],
  ): void {
    this.#invalid = { fault, start, reach, ...(key === undefined ? {} : { key }) };
  }

  /** Ends the current range, if there is one. */
  endInvalid(end: number): void {
    if (this.#invalid === undefined) return;
    const { reach: _, ...rest } = this.#invalid;
    this.faults.push({ ...rest, end });
    this.#invalid = undefined;
  }

  /** The next offset at which a frame or a fault can begin or end. */
  #nextPlace(here: number): number {
    const { bytes } = this.#cursor;
    const next = bytes.indexOf(MAGIC, here + 1);
    return Math.min(next < 0 ? bytes.length : next, this.#invalid?.reach ?? bytes.length);
  }

  /** Too many frames or faults: the rest is not read. */
  #isFull(here: number): boolean {
    const most = wireLimits.framesPerPayload;
    if (this.frames.length < most && this.faults.length <= most) return false;
    const detail = `The payload continues after ${this.frames.length} frames and ${this.faults.length} faults.`;
    this.beginInvalid({ fault: 'too-large', offset: here, detail }, here);
    return true;
  }

  /** Reads the frame whose header is at `start`; returns the offset at which to continue. */
  #takeFrame(start: number): number {
    const cursor = this.#cursor;
    const { bytes } = cursor;
    const header = readHeader(bytes, start);
    const end = start + ENVELOPE_BYTES + header.length;
    const broken = brokenFault(bytes, start, end, header.length);
    if (broken !== undefined) {
      this.beginInvalid(broken, start, Math.min(end, bytes.length), keyOf(header));
      return this.#nextPlace(start);
    }
    cursor.fault = undefined;
    const frame = readFrame(cursor, header, start, end);
    if (frame !== undefined) {
      this.frames.push({ frame, start, end });
    } else if (cursor.fault !== undefined) {
      this.beginInvalid(cursor.fault, start, end, keyOf(header));
      this.endInvalid(end);
    }
    return end;
  }
}

/** The key of a header's record; undefined if the kind is not a record. */
function keyOf({ version: generation, epoch, sequence }: FrameHeader): InvalidBytes['key'] {
  return sequence === 0 ? undefined : { generation, epoch, sequence };
}

/** Why there is no valid header at this position. */
function strayFault(bytes: Uint8Array, here: number): FrameFault {
  if (bytes[here] !== MAGIC) {
    return {
      fault: 'no-frame',
      offset: here,
      detail: `The byte ${bytes[here]} is not the start of a frame.`,
    };
  }
  const left = bytes.length - here;
  if (left < HEADER_BYTES) {
    const detail = `The payload ends ${left} bytes into a header of ${HEADER_BYTES}.`;
    return { fault: 'truncated', offset: here, detail };
  }
  const detail = 'The check over the header does not match.';
  return { fault: 'wrong-header-check', offset: here + headerOffsets.check, detail };
}

/** The fault of the bytes after a valid header, if any. */
function brokenFault(bytes: Uint8Array, start: number, end: number, length: number): FrameFault | undefined {
  if (length > wireLimits.framePayloadBytes) {
    const detail = `The header announces ${length} bytes of payload, more than ${wireLimits.framePayloadBytes}.`;
    return { fault: 'impossible-length', offset: start + headerOffsets.length, detail };
  }
  if (end > bytes.length) {
    const detail = `The frame has ${end - start} bytes, but only ${bytes.length - start} are present.`;
    return { fault: 'truncated', offset: bytes.length, detail };
  }
  if (hasValidChecksum(bytes, start, end)) return undefined;
  const detail = 'The checksum over the frame does not match.';
  return { fault: 'wrong-checksum', offset: end - CHECKSUM_BYTES, detail };
}

/**
 * The frame between `start` and `end`, whose checksums are valid; undefined if the cursor then has a fault.
 */
function readFrame(cursor: ByteCursor, header: FrameHeader, start: number, end: number): Frame | undefined {
  const { version, kind: code, epoch, boot, sequence, clockMs } = header;
  const generation = generationOf(version);
  if (generation === undefined) {
    return cursor.fail('unknown-version', start + headerOffsets.version, `There is no version ${version}.`);
  }
  const kind = kindOfCode(code);
  if (kind === undefined)
    return cursor.fail('unknown-kind', start + headerOffsets.kind, `There is no kind ${code}.`);
  if (kind.kept !== sequence > 0) {
    const detail = `A ${kind.name} has the sequence ${sequence}.`;
    return cursor.fail('impossible-value', start + headerOffsets.sequence, detail);
  }
  if (kind.direction === 'down' && boot !== 0) {
    return cursor.fail(
      'impossible-value',
      start + headerOffsets.boot,
      `A ${kind.name} has the boot count ${boot}.`,
    );
  }
  const target: Record<string, unknown> = { kind: kind.name };
  cursor.at = start + HEADER_BYTES;
  cursor.end = end - CHECKSUM_BYTES;
  READERS[generation][kind.name](cursor, target);
  if (cursor.fault !== undefined) return undefined;
  // The compiler checked each layout against its message (`packed<Report>` and the like), so the target is a
  // message.
  return { generation, epoch, boot, sequence, clockMs, message: target as unknown as Message };
}

function generationOf(version: number): Generation | undefined {
  return version === 1 || version === 2 ? version : undefined;
}

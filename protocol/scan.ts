import { READERS } from './coding.ts';
import { Cursor } from './cursor.ts';
import {
  at,
  CHECKSUM_BYTES,
  checksumStands,
  ENVELOPE_BYTES,
  HEADER_BYTES,
  type Header,
  headerStands,
  MAGIC,
  readHeader,
} from './envelope.ts';
import type { Fault } from './fault.ts';
import type { Misplaced, Placed } from './frame.ts';
import { kindOfCode } from './kinds.ts';
import { limits } from './limits.ts';
import type { Frame, Generation, Message } from './message.ts';

/** One walk over a payload. */
export class Scan {
  readonly frames: Placed[] = [];
  readonly faults: Misplaced[] = [];
  readonly #cursor: Cursor;
  /** The stretch of spoiled bytes that is under way, and where it ends unless a header stands before. */
  #spoiled: (Omit<Misplaced, 'end'> & { readonly reach: number }) | undefined;

  constructor(bytes: Uint8Array) {
    this.#cursor = new Cursor(bytes);
  }

  /** Walks from the first byte to the last. */
  run(): void {
    const { bytes } = this.#cursor;
    let here = 0;
    while (here < bytes.length) {
      if (headerStands(bytes, here)) {
        this.settle(here);
        if (this.#isFull(here)) break;
        here = this.#takeFrame(here);
        continue;
      }
      if (this.#spoiled?.reach === here) this.settle(here);
      if (this.#spoiled === undefined) {
        if (this.#isFull(here)) break;
        this.spoil(strayFault(bytes, here), here);
      }
      here = this.#nextPlace(here);
    }
    this.settle(bytes.length);
  }

  /** Begins a stretch of spoiled bytes. */
  spoil(fault: Fault, start: number, reach = this.#cursor.bytes.length, key?: Misplaced['key']): void {
    this.#spoiled = { fault, start, reach, ...(key === undefined ? {} : { key }) };
  }

  /** Ends it, where there is one. */
  settle(end: number): void {
    if (this.#spoiled === undefined) return;
    const { reach: _, ...rest } = this.#spoiled;
    this.faults.push({ ...rest, end });
    this.#spoiled = undefined;
  }

  /** The next offset at which anything can begin or end. */
  #nextPlace(here: number): number {
    const { bytes } = this.#cursor;
    const next = bytes.indexOf(MAGIC, here + 1);
    return Math.min(next < 0 ? bytes.length : next, this.#spoiled?.reach ?? bytes.length);
  }

  /** Too many frames or faults: the rest is not read. */
  #isFull(here: number): boolean {
    const most = limits.framesPerPayload;
    if (this.frames.length < most && this.faults.length <= most) return false;
    const detail = `The payload goes on behind ${this.frames.length} frames and ${this.faults.length} faults.`;
    this.spoil({ fault: 'too-large', offset: here, detail }, here);
    return true;
  }

  /** Reads the frame whose header stands at `start`; returns where to go on. */
  #takeFrame(start: number): number {
    const cursor = this.#cursor;
    const { bytes } = cursor;
    const header = readHeader(bytes, start);
    const end = start + ENVELOPE_BYTES + header.length;
    const broken = brokenFault(bytes, start, end, header.length);
    if (broken !== undefined) {
      this.spoil(broken, start, Math.min(end, bytes.length), keyOf(header));
      return this.#nextPlace(start);
    }
    cursor.fault = undefined;
    const frame = readFrame(cursor, header, start, end);
    if (frame !== undefined) {
      this.frames.push({ frame, start, end });
    } else if (cursor.fault !== undefined) {
      this.spoil(cursor.fault, start, end, keyOf(header));
      this.settle(end);
    }
    return end;
  }
}

/** The record of which a header is; undefined where it is none. */
function keyOf({ version: generation, epoch, sequence }: Header): Misplaced['key'] {
  return sequence === 0 ? undefined : { generation, epoch, sequence };
}

/** What is wrong with a place at which no right header stands. */
function strayFault(bytes: Uint8Array, here: number): Fault {
  if (bytes[here] !== MAGIC) {
    return { fault: 'no-frame', offset: here, detail: `The byte ${bytes[here]} begins no frame.` };
  }
  const left = bytes.length - here;
  if (left < HEADER_BYTES) {
    const detail = `The payload ends ${left} bytes into a header of ${HEADER_BYTES}.`;
    return { fault: 'truncated', offset: here, detail };
  }
  const detail = 'The check over the header does not fit it.';
  return { fault: 'wrong-header-check', offset: here + at.check, detail };
}

/** What is wrong with the bytes behind a right header, if anything. */
function brokenFault(bytes: Uint8Array, start: number, end: number, length: number): Fault | undefined {
  if (length > limits.framePayloadBytes) {
    const detail = `The header tells of ${length} bytes of payload, beyond ${limits.framePayloadBytes}.`;
    return { fault: 'impossible-length', offset: start + at.length, detail };
  }
  if (end > bytes.length) {
    const detail = `The frame has ${end - start} bytes, ${bytes.length - start} are there.`;
    return { fault: 'truncated', offset: bytes.length, detail };
  }
  if (checksumStands(bytes, start, end)) return undefined;
  const detail = 'The checksum over the frame does not fit it.';
  return { fault: 'wrong-checksum', offset: end - CHECKSUM_BYTES, detail };
}

/** The frame between `start` and `end`, whose checksums are right; undefined where the cursor then has a fault. */
function readFrame(cursor: Cursor, header: Header, start: number, end: number): Frame | undefined {
  const { version, kind: code, epoch, boot, sequence, clockMs } = header;
  const generation = generationOf(version);
  if (generation === undefined) {
    return cursor.fail('unknown-version', start + at.version, `There is no version ${version}.`);
  }
  const kind = kindOfCode(code);
  if (kind === undefined) return cursor.fail('unknown-kind', start + at.kind, `There is no kind ${code}.`);
  if (kind.kept !== sequence > 0) {
    const detail = `A ${kind.name} has the sequence ${sequence}.`;
    return cursor.fail('impossible-value', start + at.sequence, detail);
  }
  if (kind.direction === 'down' && boot !== 0) {
    return cursor.fail('impossible-value', start + at.boot, `A ${kind.name} has the boot count ${boot}.`);
  }
  const target: Record<string, unknown> = { kind: kind.name };
  cursor.at = start + HEADER_BYTES;
  cursor.end = end - CHECKSUM_BYTES;
  READERS[generation][kind.name](cursor, target);
  if (cursor.fault !== undefined) return undefined;
  // The compiler checked each layout against its message (`packed<Report>` and the like), so what was read by one is one.
  return { generation, epoch, boot, sequence, clockMs, message: target as unknown as Message };
}

function generationOf(version: number): Generation | undefined {
  return version === 1 || version === 2 ? version : undefined;
}

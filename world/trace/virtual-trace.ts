import { createHash } from 'node:crypto';
import type { Trace, TraceEvent } from './trace.ts';

/** The trace of a virtual run: every event of the loop and every note, as lines. */
export interface VirtualTrace extends Trace {
  /**
   * SHA-256 in hex over the lines so far, without diagnostic lines and the labels of loop events. Two runs
   * with the same hash did the same, byte for byte.
   */
  hash(): string;
  /** The number of lines so far. */
  readonly count: number;
  /** The last lines, oldest first, to see where two runs differ. */
  tail(): readonly string[];
}

export interface VirtualTraceSettings {
  /** How many of the last lines `tail` keeps. */
  readonly tailLength?: number;
  /** Called with each line, without its line break, for example to write a file for comparing two runs. */
  readonly sink?: (line: string) => void;
}

const DEFAULT_TAIL_LENGTH = 200;

/** Lines are hashed in blocks of about this many characters, since each call into the hash is expensive. */
const BLOCK_LENGTH = 16_384;

/** SHA-256 over lines, each followed by a line break. */
export interface LineHash {
  add(line: string): void;
  /** The hash in hex over everything so far. */
  hex(): string;
}

export function lineHash(): LineHash {
  const hash = createHash('sha256');
  let block = '';
  const flush = (): void => {
    hash.update(block, 'utf8');
    block = '';
  };
  return {
    add(line) {
      block += line;
      block += '\n';
      if (block.length >= BLOCK_LENGTH) flush();
    },
    hex() {
      flush();
      return hash.copy().digest('hex');
    },
  };
}

/** Also returns `observer`, to be given to the loop. Neither may be called before `nowMs` can be called. */
export function virtualTrace(
  nowMs: () => number,
  settings: VirtualTraceSettings = {},
): { readonly trace: VirtualTrace; readonly observer: (atMs: number, label: string) => void } {
  const { tailLength = DEFAULT_TAIL_LENGTH, sink } = settings;
  const lines = lineHash();
  let count = 0;
  let tail: string[] = [];
  let stampMs = -1;
  let stamp = '';
  /** Many lines have the same millisecond, and formatting a number of 13 digits is slow. */
  const stampOf = (atMs: number): string => {
    if (atMs !== stampMs) {
      stampMs = atMs;
      stamp = String(atMs);
    }
    return stamp;
  };
  const show = (line: string): void => {
    count += 1;
    sink?.(line);
    if (tailLength === 0) return;
    tail.push(line);
    if (tail.length >= 2 * tailLength) tail = tail.slice(-tailLength);
  };
  return {
    trace: {
      note(event) {
        const line = lineOf(stampOf(nowMs()), event);
        if (event.isDiagnostic !== true) lines.add(line);
        show(line);
      },
      hash: () => lines.hex(),
      get count() {
        return count;
      },
      tail: () => (tailLength === 0 ? [] : tail.slice(-tailLength)),
    },
    observer(atMs, label) {
      const line = `${stampOf(atMs)} loop`;
      lines.add(line);
      show(`${line} ${label}`);
    },
  };
}

function lineOf(stamp: string, { who, what, detail, bytes }: TraceEvent): string {
  const text = detail === undefined ? `${stamp} ${who} ${what}` : `${stamp} ${who} ${what} ${detail}`;
  return bytes === undefined ? text : `${text} ${hex(bytes)}`;
}

/** One buffer for all hex output: a view of each payload would cost more than copying it. */
let hexBuffer = Buffer.alloc(4_096);

function hex(bytes: Uint8Array): string {
  if (bytes.length > hexBuffer.length) hexBuffer = Buffer.alloc(bytes.length);
  hexBuffer.set(bytes);
  return hexBuffer.toString('hex', 0, bytes.length);
}

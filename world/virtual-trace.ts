import { createHash } from 'node:crypto';
import type { Trace, TraceEvent } from './trace.ts';

/** The trace of a virtual run: every event of the loop and every note, hashed as one text. */
export interface VirtualTrace extends Trace {
  /** SHA-256 in hex over everything so far. Two runs with one hash did the same, byte for byte. */
  hash(): string;
  /** How many lines there were. */
  readonly count: number;
  /** The last lines, oldest first: where two runs part, here is how. */
  tail(): readonly string[];
}

export interface VirtualTraceSettings {
  /** How many of the last lines `tail` knows. */
  readonly tailLength?: number;
  /** Is handed each line, without its line break: a file of the caller's, to compare two runs with. */
  readonly sink?: (line: string) => void;
}

const DEFAULT_TAIL_LENGTH = 200;

/** Lines are hashed in blocks of about this many characters: each call into the hash has its price. */
const BLOCK_LENGTH = 16_384;

/** SHA-256 over lines, each with a line break behind it. */
export interface LineHash {
  add(line: string): void;
  /** In hex, over everything so far. */
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

/** Also returns `witness`, which is for the loop. Neither must be called before `nowMs` can be asked. */
export function virtualTrace(
  nowMs: () => number,
  settings: VirtualTraceSettings = {},
): { readonly trace: VirtualTrace; readonly witness: (atMs: number, label: string) => void } {
  const { tailLength = DEFAULT_TAIL_LENGTH, sink } = settings;
  const lines = lineHash();
  let count = 0;
  let tail: string[] = [];
  let stampMs = -1;
  let stamp = '';
  /** Many lines are of one millisecond, and to write a number of 13 digits has its price. */
  const stampOf = (atMs: number): string => {
    if (atMs !== stampMs) {
      stampMs = atMs;
      stamp = String(atMs);
    }
    return stamp;
  };
  const write = (line: string): void => {
    count += 1;
    lines.add(line);
    sink?.(line);
    if (tailLength === 0) return;
    tail.push(line);
    if (tail.length >= 2 * tailLength) tail = tail.slice(-tailLength);
  };
  return {
    trace: {
      note: (event) => write(lineOf(stampOf(nowMs()), event)),
      hash: () => lines.hex(),
      get count() {
        return count;
      },
      tail: () => (tailLength === 0 ? [] : tail.slice(-tailLength)),
    },
    witness: (atMs, label) => write(`${stampOf(atMs)} loop ${label}`),
  };
}

function lineOf(stamp: string, { who, what, detail, bytes }: TraceEvent): string {
  const said = detail === undefined ? `${stamp} ${who} ${what}` : `${stamp} ${who} ${what} ${detail}`;
  return bytes === undefined ? said : `${said} ${hex(bytes)}`;
}

/** One room for all that is written in hex: a view of each payload would cost more than its copy. */
let room = Buffer.alloc(4_096);

function hex(bytes: Uint8Array): string {
  if (bytes.length > room.length) room = Buffer.alloc(bytes.length);
  room.set(bytes);
  return room.toString('hex', 0, bytes.length);
}

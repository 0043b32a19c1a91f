import { readHeader } from '../protocol/envelope.ts';
import { decodePayload } from '../protocol/frame.ts';
import type { TraceEvent } from '../world/trace.ts';
import { OF_RECEIPTS } from './checkers/books.ts';
import { type EpochBook, JournalBook } from './checkers/journal-book.ts';
import { codesOf, frameEnd, holdsAny } from './frame-ends.ts';

const BOX = 'box/';
const TELLING = codesOf(OF_RECEIPTS);

/**
 * What crossed the wire, kept from the simulator's trace: which records each box sent, which the service receipted, and
 * which the box gave up with a tombstone. It trusts neither side's own books.
 */
export class WireLedger {
  readonly #boxes = new Map<string, JournalBook>();

  /** Takes one event of the trace; one that is no frame is passed over. */
  take({ who, what, bytes }: TraceEvent): void {
    if (bytes === undefined || (what !== 'frame-up' && what !== 'frame-down') || !who.startsWith(BOX)) return;
    const boxId = who.slice(BOX.length);
    let book = this.#boxes.get(boxId);
    if (book === undefined) {
      book = new JournalBook();
      this.#boxes.set(boxId, book);
    }
    const direction = what === 'frame-up' ? 'up' : 'down';
    if (holdsAny(bytes, TELLING))
      for (const { frame } of decodePayload(bytes).frames) book.take(direction, frame);
    else if (direction === 'up') takeHeads(book, bytes);
  }

  /** What the wire saw of a box: its journals by their epochs. */
  journals(boxId: string): ReadonlyMap<number, EpochBook> {
    return this.#boxes.get(boxId)?.journals() ?? new Map();
  }
}

/** Of most frames it is enough to know that they were there. */
function takeHeads(book: JournalBook, bytes: Uint8Array): void {
  for (let start = 0; start < bytes.byteLength; start = frameEnd(bytes, start)) {
    const { epoch, sequence } = readHeader(bytes, start);
    if (sequence > 0) book.sent(epoch, sequence);
  }
}

import { decodePayload } from '../protocol/frame.ts';

/** One journal record, as its key. */
type Key = `${string}/${number}/${number}`;

const LINE = /^\d+ box\/([0-9a-f]{16}) (frame-up|frame-down) ([0-9a-f]+)$/;

/**
 * What crossed the wire, kept by reading the trace: which records each box sent, which the service receipted, and
 * which the box gave up with a tombstone. It trusts neither side's own books.
 */
export class WireLedger {
  readonly sent = new Set<Key>();
  readonly receipted = new Set<Key>();
  readonly #contiguous = new Map<string, number>();
  readonly tombstones: {
    readonly boxId: string;
    readonly epoch: number;
    readonly first: number;
    readonly last: number;
  }[] = [];
  readonly #tombstoneKeys = new Set<Key>();

  /** Takes one line of the trace; a line that is no frame is passed over. */
  read(line: string): void {
    // Most lines are something else, which this tells sooner than the expression.
    const match = line.includes(' frame-') ? LINE.exec(line) : null;
    if (match === null) return;
    const [, boxId = '', direction, hex = ''] = match;
    for (const { frame } of decodePayload(Buffer.from(hex, 'hex')).frames) {
      const { message, epoch, sequence } = frame;
      if (direction === 'frame-up') {
        if (sequence === 0) continue;
        this.sent.add(`${boxId}/${epoch}/${sequence}`);
        if (message.kind === 'tombstone') this.#bury(`${boxId}/${epoch}/${sequence}`, boxId, epoch, message);
      } else if (message.kind === 'receipt') {
        this.#receipt(boxId, epoch, message.contiguous, message.ranges);
      }
    }
  }

  #bury(key: Key, boxId: string, epoch: number, { first, last }: { first: number; last: number }): void {
    if (this.#tombstoneKeys.has(key)) return;
    this.#tombstoneKeys.add(key);
    this.tombstones.push({ boxId, epoch, first, last });
  }

  #receipt(
    boxId: string,
    epoch: number,
    contiguous: number,
    ranges: readonly (readonly [number, number])[],
  ): void {
    const place = `${boxId}/${epoch}`;
    const known = this.#contiguous.get(place) ?? 0;
    for (let at = known + 1; at <= contiguous; at += 1) this.receipted.add(`${boxId}/${epoch}/${at}`);
    this.#contiguous.set(place, Math.max(known, contiguous));
    for (const [first, last] of ranges) {
      for (let at = first; at <= last; at += 1) this.receipted.add(`${boxId}/${epoch}/${at}`);
    }
  }
}

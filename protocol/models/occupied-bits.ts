import type { SignalSource } from './model.ts';

/** The bits or ports of a source, as names: no two rows of a model may share one. */
export function occupiedBits(source: SignalSource): readonly string[] {
  switch (source.from) {
    case 'can':
      return bitsOf(source).map((bit) => `can/${source.bus}/${source.id}/${bit}`);
    case 'obd': {
      const { pid, bytes, startBit = 7, bits = 8 * bytes } = source;
      return bitsOf({ startBit, bits, order: 'big' }).map((bit) => `obd/${pid}/${bit}`);
    }
    case 'trouble-codes':
      return [source.from];
    default:
      return [`${source.from}/${source.port}`];
  }
}

/** Whether all bits of a signal lie inside a frame of this many bytes. */
export function isInFrame(signal: Signal, bytes: number): boolean {
  return bitsOf(signal).every((bit) => Number.isInteger(bit) && bit >= 0 && bit < bytes * 8);
}

interface Signal {
  readonly startBit: number;
  readonly bits: number;
  readonly order: 'little' | 'big';
}

/** The bit numbers, as DBC files count them, that a signal takes. */
function bitsOf({ startBit, bits, order }: Signal): readonly number[] {
  const taken: number[] = [];
  let bit = startBit;
  for (let left = bits; left > 0; left -= 1) {
    taken.push(bit);
    if (order === 'little') bit += 1;
    else bit = bit % 8 === 0 ? bit + 15 : bit - 1;
  }
  return taken;
}

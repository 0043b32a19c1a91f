/**
 * Random numbers inside a box: a 32-bit state in RAM, so that `step` stays a function of its arguments. The
 * host seeds it at boot, from the world's streams.
 */
export interface ChanceDraw {
  /** Uniform in [0, 1), with 32 bits. */
  readonly fraction: number;
  readonly next: number;
}

/** One draw: a Weyl sequence (step: 2^32 divided by the golden ratio) under the mixer of MurmurHash3 (fmix32). */
export function drawChance(chance: number): ChanceDraw {
  const next = (chance + 0x9e3779b9) >>> 0;
  return { fraction: mixBits(next) / 0x1_0000_0000, next };
}

/** Spreads every bit of a 32-bit number over all of them (fmix32). */
export function mixBits(number: number): number {
  let h = number >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

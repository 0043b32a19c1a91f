/**
 * Chance inside a box: a 32-bit state that lives in RAM, so that `step` stays a function of its arguments. It is
 * seeded at boot by the host, from the world's streams.
 */
export interface Draw {
  /** Uniform in [0, 1), with 32 bits. */
  readonly fraction: number;
  readonly next: number;
}

/** One draw: a Weyl sequence (step: 2^32 divided by the golden ratio) under the mixer of MurmurHash3 (fmix32). */
export function draw(chance: number): Draw {
  const next = (chance + 0x9e3779b9) >>> 0;
  return { fraction: mix(next) / 0x1_0000_0000, next };
}

/** Spreads every bit of a 32-bit number over all of them (fmix32). */
export function mix(number: number): number {
  let h = number >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

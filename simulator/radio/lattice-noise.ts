/**
 * Noise as a pure function of place and time: each node of a lattice has a Gaussian number from a hash of the
 * node, and between nodes they are weighted so that the variance is 1 everywhere. So the value at a place
 * does not depend on how often or in which order places are evaluated, near places have similar values, and
 * nothing is stored.
 *
 * Two lattices are added, of 0.3 and 1.6 decorrelation distances: the correlation then follows that of
 * Gudmundson's model of shadowing, exp(−d/D) ("Correlation model for shadow fading in mobile radio systems",
 * Electronics Letters 27(23), 1991), to 0.06 (test/properties/radio.test.ts).
 */

/** The largest absolute value of the noise. */
export const LARGEST_NOISE = 2.5;

const FINE_SPACING = 0.3;
const COARSE_SPACING = 1.6;
/** Their squares are the shares of the variance. */
const FINE_WEIGHT = Math.sqrt(0.35);
const COARSE_WEIGHT = Math.sqrt(0.65);

/** The mean of the sum of four bytes, and the factor that makes its deviation 1. */
const BYTES_MEAN = 510;
const BYTES_DEVIATION = Math.sqrt((4 * (256 * 256 - 1)) / 12);

/** A hash of a node. `seed`, a 32-bit number, distinguishes lattices. */
export function hashed(seed: number, first: number, second = 0): number {
  let h = Math.imul(seed ^ Math.imul(first, 0x9e3779b1), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15) ^ Math.imul(second, 0xc2b2ae35), 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A number in [0, 1) for a node. */
export function shareOf(seed: number, first: number, second = 0): number {
  return hashed(seed, first, second) / 0x1_0000_0000;
}

/** Noise along a line; `at` is in decorrelation distances. Deviation 1, within ±LARGEST_NOISE. */
export function noiseAlong(seed: number, at: number): number {
  return bounded(
    FINE_WEIGHT * line(seed, at / FINE_SPACING) +
      COARSE_WEIGHT * line(seed ^ 0x5bd1e995, at / COARSE_SPACING),
  );
}

/** Noise on a plane, both coordinates in decorrelation distances. */
export function noiseOver(seed: number, east: number, north: number): number {
  const fine = plane(seed, east / FINE_SPACING, north / FINE_SPACING);
  const coarse = plane(seed ^ 0x5bd1e995, east / COARSE_SPACING, north / COARSE_SPACING);
  return bounded(FINE_WEIGHT * fine + COARSE_WEIGHT * coarse);
}

function line(seed: number, at: number): number {
  const node = Math.floor(at);
  const after = at - node;
  const before = 1 - after;
  const sum = before * gaussian(seed, node, 0) + after * gaussian(seed, node + 1, 0);
  return sum / Math.sqrt(before * before + after * after);
}

function plane(seed: number, east: number, north: number): number {
  const column = Math.floor(east);
  const row = Math.floor(north);
  const [right, up] = [east - column, north - row];
  const [left, down] = [1 - right, 1 - up];
  const sum =
    down * (left * gaussian(seed, column, row) + right * gaussian(seed, column + 1, row)) +
    up * (left * gaussian(seed, column, row + 1) + right * gaussian(seed, column + 1, row + 1));
  return sum / Math.sqrt((left * left + right * right) * (down * down + up * up));
}

/** The sum of the four bytes of a node's hash: nearly Gaussian, deviation 1, and bounded. */
function gaussian(seed: number, first: number, second: number): number {
  const h = hashed(seed, first, second);
  const sum = (h & 0xff) + ((h >>> 8) & 0xff) + ((h >>> 16) & 0xff) + (h >>> 24);
  return (sum - BYTES_MEAN) / BYTES_DEVIATION;
}

function bounded(noise: number): number {
  return noise > LARGEST_NOISE ? LARGEST_NOISE : noise < -LARGEST_NOISE ? -LARGEST_NOISE : noise;
}

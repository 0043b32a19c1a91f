/**
 * Noise as a pure function of where and when: a Gaussian number stands on each node of a lattice, told by a hash of the
 * node, and between nodes they are weighed so that the variance is 1 everywhere. So the value of a place is the same
 * however often and in which order places are asked for, near places have near values, and nothing is kept.
 *
 * Two lattices are added, of 0.3 and 1.6 decorrelation distances: the correlation then follows that of Gudmundson's
 * model of shadowing, exp(−d/D) ("Correlation model for shadow fading in mobile radio systems", Electronics Letters
 * 27(23), 1991), to 0.06 (test/properties/radio.test.ts).
 */

/** No value of the noise is further from 0. */
export const LARGEST_NOISE = 2.5;

const FINE_SPACING = 0.3;
const COARSE_SPACING = 1.6;
/** The squares are their shares of the variance. */
const FINE_WEIGHT = Math.sqrt(0.35);
const COARSE_WEIGHT = Math.sqrt(0.65);

/** Of four bytes: the mean of their sum, and what brings its deviation to 1. */
const BYTES_MEAN = 510;
const BYTES_DEVIATION = Math.sqrt((4 * (256 * 256 - 1)) / 12);

/** One lattice tells itself from another by its name, a 32-bit number. */
export function hashed(name: number, first: number, second = 0): number {
  let h = Math.imul(name ^ Math.imul(first, 0x9e3779b1), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15) ^ Math.imul(second, 0xc2b2ae35), 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A number in [0, 1) of a node. */
export function shareOf(name: number, first: number, second = 0): number {
  return hashed(name, first, second) / 0x1_0000_0000;
}

/** Noise along a line, of which `at` counts decorrelation distances. Deviation 1, within ±LARGEST_NOISE. */
export function noiseAlong(name: number, at: number): number {
  return bounded(
    FINE_WEIGHT * line(name, at / FINE_SPACING) +
      COARSE_WEIGHT * line(name ^ 0x5bd1e995, at / COARSE_SPACING),
  );
}

/** Noise on a plane, both ways in decorrelation distances. */
export function noiseOver(name: number, east: number, north: number): number {
  const fine = plane(name, east / FINE_SPACING, north / FINE_SPACING);
  const coarse = plane(name ^ 0x5bd1e995, east / COARSE_SPACING, north / COARSE_SPACING);
  return bounded(FINE_WEIGHT * fine + COARSE_WEIGHT * coarse);
}

function line(name: number, at: number): number {
  const node = Math.floor(at);
  const after = at - node;
  const before = 1 - after;
  const sum = before * gaussian(name, node, 0) + after * gaussian(name, node + 1, 0);
  return sum / Math.sqrt(before * before + after * after);
}

function plane(name: number, east: number, north: number): number {
  const column = Math.floor(east);
  const row = Math.floor(north);
  const [right, up] = [east - column, north - row];
  const [left, down] = [1 - right, 1 - up];
  const sum =
    down * (left * gaussian(name, column, row) + right * gaussian(name, column + 1, row)) +
    up * (left * gaussian(name, column, row + 1) + right * gaussian(name, column + 1, row + 1));
  return sum / Math.sqrt((left * left + right * right) * (down * down + up * up));
}

/** The four bytes of a node's hash added up: nearly Gaussian, deviation 1, and bounded. */
function gaussian(name: number, first: number, second: number): number {
  const h = hashed(name, first, second);
  const sum = (h & 0xff) + ((h >>> 8) & 0xff) + ((h >>> 16) & 0xff) + (h >>> 24);
  return (sum - BYTES_MEAN) / BYTES_DEVIATION;
}

function bounded(noise: number): number {
  return noise > LARGEST_NOISE ? LARGEST_NOISE : noise < -LARGEST_NOISE ? -LARGEST_NOISE : noise;
}

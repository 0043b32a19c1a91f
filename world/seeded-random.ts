import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { Random, Stream } from './random.ts';

/**
 * Chance from a seed, the same in both worlds: only whole-number arithmetic is used, so that one seed gives the same
 * numbers on every version of Node. `seed` may be any safe integer.
 */
export function seededRandom(seed: number): Random {
  return { stream: (name) => stream(streamState(seed, name)) };
}

function stream(state: readonly number[]): Stream {
  const generator = xoroshiro128plusFromState(state);
  return {
    fraction: () => (generator.next() >>> 0) / 0x1_0000_0000,
    // pure-rand throws numbers away until none is likelier than another.
    whole: (min, max) => uniformInt(generator, min, max),
    pick: (items) => {
      if (items.length === 0) throw new RangeError('There is nothing to pick from.');
      return items[uniformInt(generator, 0, items.length - 1)] as (typeof items)[number];
    },
  };
}

/**
 * 128 bits of generator state from the seed and the name: four lanes of MurmurHash3 (x86, 32 bit), each begun with
 * another constant. Neighbouring seeds and names give unrelated states, which a plain sum would not.
 */
function streamState(seed: number, name: string): readonly number[] {
  const low = seed | 0;
  const high = Math.floor(seed / 0x1_0000_0000) | 0;
  const state = LANES.map((lane) => {
    let hash = mix(mix(lane, low), high);
    for (let at = 0; at < name.length; at++) hash = mix(hash, name.charCodeAt(at));
    return finish(hash ^ name.length);
  });
  // The generator stands still on a state of zeroes only.
  return state.every((word) => word === 0) ? [1, 0, 0, 0] : state;
}

/** Fractional parts of the square roots of 2, 3, 5 and 7, as SHA-256 has them: numbers with nothing up their sleeve. */
const LANES = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a] as const;

/** One round of MurmurHash3. */
function mix(hash: number, word: number): number {
  const scrambled = Math.imul(rotate(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
  return (Math.imul(rotate(hash ^ scrambled, 13), 5) + 0xe6546b64) | 0;
}

/** The avalanche at the end of MurmurHash3: every bit of the input changes about half of the output. */
function finish(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) | 0;
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

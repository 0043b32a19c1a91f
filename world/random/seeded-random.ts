import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { Random, Stream } from './random.ts';

/**
 * Chance from a seed, the same in both worlds: only integer arithmetic is used, so that a seed gives the same
 * numbers on every version of Node. `seed` may be any safe integer.
 */
export function seededRandom(seed: number): Random {
  return { stream: (name) => stream(streamState(seed, name)) };
}

function stream(state: readonly number[]): Stream {
  return new SeededStream(xoroshiro128plusFromState(state));
}

class SeededStream implements Stream {
  readonly #generator: ReturnType<typeof xoroshiro128plusFromState>;

  constructor(generator: ReturnType<typeof xoroshiro128plusFromState>) {
    this.#generator = generator;
  }

  fraction(): number {
    return (this.#generator.next() >>> 0) / 0x1_0000_0000;
  }

  whole(min: number, max: number): number {
    // pure-rand rejects numbers until all results have the same probability.
    return uniformInt(this.#generator, min, max);
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('Cannot pick from an empty list.');
    return items[uniformInt(this.#generator, 0, items.length - 1)] as T;
  }
}

/**
 * 128 bits of generator state from the seed and the name: four lanes of MurmurHash3 (x86, 32 bit), each with
 * a different initial value. Similar seeds and names give unrelated states, which a plain sum would not.
 */
function streamState(seed: number, name: string): readonly number[] {
  const low = seed | 0;
  const high = Math.floor(seed / 0x1_0000_0000) | 0;
  const state = LANES.map((lane) => {
    let hash = mix(mix(lane, low), high);
    for (let at = 0; at < name.length; at++) hash = mix(hash, name.charCodeAt(at));
    return finish(hash ^ name.length);
  });
  // A state of zeros only would produce nothing but zeros.
  return state.every((word) => word === 0) ? [1, 0, 0, 0] : state;
}

/** Fractional parts of the square roots of 2, 3, 5 and 7, as in SHA-256. */
const LANES = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a] as const;

/** One round of MurmurHash3. */
function mix(hash: number, word: number): number {
  const scrambled = Math.imul(rotate(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
  return (Math.imul(rotate(hash ^ scrambled, 13), 5) + 0xe6546b64) | 0;
}

/** The final mix of MurmurHash3: every bit of the input changes about half of the output. */
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

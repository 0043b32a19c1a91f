import type { Random } from './random.ts';
import { seededRandom } from './seeded-random.ts';

/** The real world draws its chance from the seed too (`--seed`), so that one fleet can be made twice. */
export function realRandom(seed: number): Random {
  return seededRandom(seed);
}

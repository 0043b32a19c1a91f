import type { Random } from './random.ts';
import { seededRandom } from './seeded-random.ts';

/**
 * The real world also draws its chance from the seed (`--seed`), so that the same fleet can be made again.
 */
export function realRandom(seed: number): Random {
  return seededRandom(seed);
}

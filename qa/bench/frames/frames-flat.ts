import type { Figure } from '../measure/figures.ts';
import { frames } from './frames.ts';

const SIZES = [100, 1_000, 10_000] as const;

/**
 * Whether frames ÷ bare aedes stays as it is from 100 boxes to 10,000: the lowest ratio of all sizes (`ours`) beside the
 * highest (`bare`), each of the best of its rounds.
 */
export async function framesFlat(rounds: number): Promise<Figure | string> {
  const ratios: number[] = [];
  for (const boxes of SIZES) {
    const figure = await frames({ rounds, broker: 'embedded', boxes });
    if (typeof figure === 'string') return figure;
    const best = (of: 'ours' | 'bare') => Math.max(...figure.rounds.map((round) => round[of]));
    ratios.push(best('ours') / best('bare'));
  }
  const told = SIZES.map((boxes, index) => `${boxes} boxes ${ratios[index]?.toFixed(2)}`).join(', ');
  return {
    name: `frames ÷ bare aedes, the lowest of all sizes beside the highest: ${told}`,
    unit: 'ratio',
    rounds: [{ bare: Math.max(...ratios), ours: Math.min(...ratios) }],
    aim: 0.8,
  };
}

import { counted } from '../language/counted.ts';
import type { Check } from './check.ts';
import { Findings } from './findings.ts';

/** Compares the most that each bounded thing has held, by the book of its world, with its bound. */
export const withinBounds: Check = async ({ evidence }) => {
  const findings = new Findings();
  const levels = await evidence.levels();
  for (const { name, most, bound } of levels)
    if (most > bound) findings.say('over its bound', `${name}: ${most}, and the bound is ${bound}`);
  return findings.checked(counted(levels.length, 'level'));
};

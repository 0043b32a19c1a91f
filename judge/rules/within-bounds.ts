import type { Checker } from './check.ts';
import { Findings } from './findings.ts';

/** Compares the highest level of each bounded queue or list, by the recording of its world, with its bound. */
export const withinBounds: Checker = async ({ evidence }) => {
  const findings = new Findings();
  const levels = await evidence.levels();
  for (const { name, most, bound } of levels)
    if (most > bound) findings.add('over its bound', `${name}: ${most}, and the bound is ${bound}`);
  return findings.result([[levels.length, 'level']]);
};

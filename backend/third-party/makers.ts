import type { Maker } from './maker.ts';
import { northwind } from './northwind.ts';

/** Every maker whose cloud can replace a box. */
export const MAKERS: readonly Maker[] = [northwind];

/** The maker of that name; undefined: there is none. */
export function findMaker(name: string): Maker | undefined {
  return MAKERS.find((maker) => maker.name === name);
}

import type { Maker } from './maker.ts';
import { northwind } from './northwind.ts';

/** Every maker whose cloud can replace a box. */
export const MAKERS: readonly Maker[] = [northwind];

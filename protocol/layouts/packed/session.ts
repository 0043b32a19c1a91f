import { GOING_DOWN_REASONS, RESET_REASONS } from '../../codes.ts';
import { limits } from '../../limits.ts';
import type { Birth, GoingDown, Gone, Hello, Ready } from '../../message.ts';
import { names, notBelow, packed, pair, unsigned } from '../fields.ts';

/** Messages at the beginning and end of a connection, in generation 1. */
const sequence = unsigned(4, { minimum: 1, maximum: limits.highestSequence });

export const hello = packed<Hello>({
  connection: unsigned(4),
  firmware: pair(unsigned(1), unsigned(1)),
  hardwareRevision: unsigned(2),
  resetReason: names(RESET_REASONS),
  lowestHeld: sequence,
  nextSequence: notBelow('lowestHeld', sequence),
  configurationRevision: unsigned(4),
});

export const goingDown = packed<GoingDown>({
  connection: unsigned(4),
  reason: names(GOING_DOWN_REASONS),
  expectedS: unsigned(2, { unit: 's' }),
});

export const ready = packed<Ready>({});
export const birth = packed<Birth>({ connection: unsigned(4) });
export const gone = packed<Gone>({ connection: unsigned(4) });

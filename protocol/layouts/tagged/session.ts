import { GOING_DOWN_REASONS, RESET_REASONS } from '../../codes.ts';
import { limits } from '../../limits.ts';
import type { Birth, GoingDown, Gone, Hello, Ready } from '../../message.ts';
import { names, notBelow, pair, tag, tagged, unsigned } from '../fields.ts';

/** Messages at the beginning and end of a connection, in generation 2. */
const sequence = unsigned(4, { minimum: 1, maximum: limits.highestSequence });

export const hello = tagged<Hello>({
  connection: tag(0x01, unsigned(4)),
  firmware: tag(0x02, pair(unsigned(1), unsigned(1))),
  hardwareRevision: tag(0x03, unsigned(2)),
  resetReason: tag(0x04, names(RESET_REASONS)),
  lowestHeld: tag(0x05, sequence),
  nextSequence: tag(0x06, notBelow('lowestHeld', sequence)),
  configurationRevision: tag(0x07, unsigned(4)),
});

export const goingDown = tagged<GoingDown>({
  reason: tag(0x01, names(GOING_DOWN_REASONS)),
  expectedS: tag(0x02, unsigned(2, { unit: 's' })),
  connection: tag(0x03, unsigned(4)),
});

export const ready = tagged<Ready>({});
export const birth = tagged<Birth>({ connection: tag(0x01, unsigned(4)) });
export const gone = tagged<Gone>({ connection: tag(0x01, unsigned(4)) });

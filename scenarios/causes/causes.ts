import type { Cause } from './cause.ts';
import { CAUSES_OF_BOXES } from './causes-of-boxes.ts';
import { CAUSES_OF_FLEETS } from './causes-of-fleets.ts';
import { CAUSES_OF_OTHERS } from './causes-of-others.ts';
import { CAUSES_OF_REQUESTS } from './causes-of-requests.ts';

/** Every cause by its name. A new cause is a row in one of the four lists, named by rows of table.ts. */
export const CAUSES: ReadonlyMap<string, Cause> = new Map(
  [...CAUSES_OF_REQUESTS, ...CAUSES_OF_FLEETS, ...CAUSES_OF_BOXES, ...CAUSES_OF_OTHERS].map((cause) => [
    cause.name,
    cause,
  ]),
);

import { readFileSync } from 'node:fs';
import { type Proposal, proposeModel } from '../../../deployment/models/proposal/propose-model.ts';
import { decodeDbc, readDbc } from '../../../protocol/dbc/read-dbc.ts';

/** An invented DBC file that has what real ones have. */
export const SMALL_VAN_DBC = new URL('../../vectors/dbc/small-van.dbc', import.meta.url);

/** The text of that file. */
export function smallVanDbc(): string {
  return decodeDbc(readFileSync(SMALL_VAN_DBC));
}

/** What is proposed of it, as `boxtwin model from-dbc` does. */
export function smallVan(): Proposal {
  return proposeModel(readDbc(smallVanDbc()).database, 'small-van', 0);
}

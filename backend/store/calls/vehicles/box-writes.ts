import { sql } from 'kysely';
import type { Generation } from '../../../../protocol/message.ts';
import type { JournalPosition, Sim } from '../../port/stored-vehicle.ts';
import type { Dialect } from '../../statements/dialect.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';

/** For whoever changes what ingest keeps in mind of a box: docs/store.md, One writer. */
export const RAISED_VERSION = sql<number>`boxes.version + 1`;

/** Makes stale what ingest keeps in mind of a box, where no other column of it changes. */
export const touchBox = statement(({ query }, value: ValueOf<{ boxId: string }>) =>
  query.updateTable('boxes').set({ version: RAISED_VERSION }).where('id', '=', value('boxId')),
);

/** What is said of a box whose id may be new, as the values of a statement. */
export type BoxValues = {
  readonly boxId: string;
  readonly fleetId: string;
  readonly boxSecretHash: string;
  readonly generation: number;
  readonly simProvider: string | null;
  readonly simIccid: string | null;
  readonly journal: string;
};

interface SaidOfBox {
  readonly boxId: string;
  readonly fleetId: string;
  readonly boxSecretHash: string;
  readonly generation: Generation;
  readonly sim?: Sim | undefined;
}

/** `journal`: of a box that is new. The journal of one that is there stays. */
export function boxValues(box: SaidOfBox, journal: JournalPosition): BoxValues {
  const { boxId, fleetId, boxSecretHash, generation, sim } = box;
  return {
    boxId,
    fleetId,
    boxSecretHash,
    generation,
    simProvider: sim?.provider ?? null,
    simIccid: sim?.iccid ?? null,
    journal: JSON.stringify(journal),
  };
}

/** Inserts a box; what becomes of one that is there is to be added. */
export function insertBox({ query }: Dialect, value: ValueOf<BoxValues>) {
  return query.insertInto('boxes').values({
    id: value('boxId'),
    version: sql.lit(1),
    fleet_id: value('fleetId'),
    secret_hash: value('boxSecretHash'),
    generation: value('generation'),
    sim_provider: value('simProvider'),
    sim_iccid: value('simIccid'),
    journal: value('journal'),
    state: sql.lit('{}'),
  });
}

/** What becomes of a box that is there, whether it is saved by itself or with its vehicle. */
export const SAVED_AGAIN = {
  version: RAISED_VERSION,
  secret_hash: sql<string>`excluded.secret_hash`,
  // A box that was heard from has said itself of which generation it is.
  generation: sql<number>`case when boxes.last_contact_ms is null then excluded.generation else boxes.generation end`,
};

/** What becomes of a box between two vehicles: nothing that it reported of the first is kept, and it is set up again. */
export function betweenVehicles({ without }: Dialect) {
  return {
    version: RAISED_VERSION,
    state: sql.lit('{}'),
    journal: without(sql.ref('journal'), 'setUpAt'),
  };
}

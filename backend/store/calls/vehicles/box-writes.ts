import { sql } from 'kysely';
import type { Generation } from '../../../../protocol/message.ts';
import type { JournalPosition, Sim } from '../../port/stored-vehicle.ts';
import type { Dialect } from '../../statements/dialect.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';

/** For statements that change what ingest keeps in memory of a box: docs/store.md, One writer. */
export const RAISED_VERSION = sql<number>`boxes.version + 1`;

/** Invalidates what ingest keeps in memory of a box, where no other column of it changes. */
export const touchBox = statement(({ query }, value: ValueOf<{ boxId: string }>) =>
  query.updateTable('boxes').set({ version: RAISED_VERSION }).where('id', '=', value('boxId')),
);

/** The data of a box whose id may be new, as the values of a statement. */
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

/** `journal`: of a new box. The journal of an existing one stays. */
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

/** Inserts a box; the caller adds the update of an existing one. */
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

/** The update of an existing box, saved alone or with its vehicle. */
export const SAVED_AGAIN = {
  version: RAISED_VERSION,
  secret_hash: sql<string>`excluded.secret_hash`,
  // A box that has been in contact has reported its generation itself.
  generation: sql<number>`case when boxes.last_contact_ms is null then excluded.generation else boxes.generation end`,
};

/**
 * The update of a box between two vehicles: nothing that it reported of the first is kept, and it is set up again. So
 * no position of a past journal is kept either: each refers to the setup in the first.
 */
export function betweenVehicles({ without }: Dialect) {
  return {
    version: RAISED_VERSION,
    state: sql.lit('{}'),
    journal: without(without(sql.ref('journal'), 'setUpAt'), 'left'),
  };
}

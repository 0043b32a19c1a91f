import { type RawBuilder, sql } from 'kysely';
import { countByBox, NO_RECORDS } from '../../calls/record-counts.ts';
import { writeState } from '../../calls/vehicles/state-text.ts';
import type { BoxChange, StoredRecord } from '../../port/ingest-store.ts';
import type { ListOf } from '../../statements/statement.ts';

/** Changes of boxes: one list for each column. null: it stays; where null is a value, a flag stands beside it. */
export type ChangeLists = {
  readonly boxId: readonly string[];
  readonly version: readonly number[];
  readonly lastContactMs: readonly (number | null)[];
  readonly journal: readonly (string | null)[];
  readonly state: readonly (string | null)[];
  readonly records: readonly number[];
  readonly lost: readonly number[];
  readonly generation: readonly (number | null)[];
  readonly firmwareMajor: readonly (number | null)[];
  readonly firmwareMinor: readonly (number | null)[];
  readonly hardwareRevision: readonly (number | null)[];
  readonly hasConnection: readonly number[];
  readonly connectionCounter: readonly (number | null)[];
  readonly connectionOpen: readonly (number | null)[];
  readonly hasNotReady: readonly number[];
  readonly notReadyUntilMs: readonly (number | null)[];
  readonly life: readonly (string | null)[];
  readonly lifeSinceMs: readonly (number | null)[];
  readonly hasSimSuspended: readonly number[];
  readonly simSuspendedMs: readonly (number | null)[];
};

/**
 * Writes each box that still has the version of its change, and returns the ids of those. All columns at once: a second
 * statement for the less usual ones would write a second version of the whole row.
 */
export function updateBoxes(list: ListOf<ChangeLists>): RawBuilder<unknown> {
  return sql`
    update boxes b set version = b.version + 1,
      last_contact_ms = coalesce(c.last_contact_ms, b.last_contact_ms),
      journal = coalesce(c.journal, b.journal),
      state = coalesce(c.state, b.state),
      records_stored = b.records_stored + c.records,
      records_lost = b.records_lost + c.lost,
      generation = coalesce(c.generation, b.generation),
      firmware_major = coalesce(c.firmware_major, b.firmware_major),
      firmware_minor = coalesce(c.firmware_minor, b.firmware_minor),
      hardware_revision = coalesce(c.hardware_revision, b.hardware_revision),
      connection_counter = case when c.has_connection = 1 then c.connection_counter else b.connection_counter end,
      connection_open = case when c.has_connection = 1 then c.connection_open else b.connection_open end,
      not_ready_until_ms = case when c.has_not_ready = 1 then c.not_ready_until_ms else b.not_ready_until_ms end,
      life = coalesce(c.life, b.life),
      life_since_ms = coalesce(c.life_since_ms, b.life_since_ms),
      sim_suspended_ms = case when c.has_sim_suspended = 1 then c.sim_suspended_ms else b.sim_suspended_ms end
    from unnest(${list('boxId')}::text[], ${list('version')}::bigint[], ${list('lastContactMs')}::bigint[],
      ${list('journal')}::text[], ${list('state')}::text[], ${list('records')}::bigint[], ${list('lost')}::bigint[],
      ${list('generation')}::bigint[], ${list('firmwareMajor')}::bigint[], ${list('firmwareMinor')}::bigint[],
      ${list('hardwareRevision')}::bigint[], ${list('hasConnection')}::bigint[], ${list('connectionCounter')}::bigint[],
      ${list('connectionOpen')}::bigint[], ${list('hasNotReady')}::bigint[], ${list('notReadyUntilMs')}::bigint[],
      ${list('life')}::text[], ${list('lifeSinceMs')}::bigint[], ${list('hasSimSuspended')}::bigint[],
      ${list('simSuspendedMs')}::bigint[])
      as c (id, version, last_contact_ms, journal, state, records, lost, generation, firmware_major, firmware_minor,
        hardware_revision, has_connection, connection_counter, connection_open, has_not_ready, not_ready_until_ms, life,
        life_since_ms, has_sim_suspended, sim_suspended_ms)
    where b.id = c.id and b.version = c.version
    returning b.id`;
}

/** The changes as lists, with what the batch's records add to the numbers of their boxes. */
export function changeLists(batch: readonly BoxChange[], batchRecords: readonly StoredRecord[]): ChangeLists {
  // All who change several boxes lock them in this order, so that they do not wait for each other in a circle.
  const changes = batch.toSorted((one, other) => (one.boxId < other.boxId ? -1 : 1));
  const counts = countByBox(batchRecords);
  const of = changes.map(({ boxId }) => counts.get(boxId) ?? NO_RECORDS);
  return {
    boxId: changes.map(({ boxId }) => boxId),
    version: changes.map(({ version }) => version),
    lastContactMs: changes.map(({ lastContactMs }) => lastContactMs ?? null),
    journal: changes.map(({ journal }) => (journal === undefined ? null : JSON.stringify(journal))),
    state: changes.map(({ state }) => (state === undefined ? null : writeState(state))),
    records: of.map(({ records }) => records),
    lost: of.map(({ lost }) => lost),
    generation: changes.map(({ generation }) => generation ?? null),
    firmwareMajor: changes.map(({ firmware }) => firmware?.[0] ?? null),
    firmwareMinor: changes.map(({ firmware }) => firmware?.[1] ?? null),
    hardwareRevision: changes.map(({ hardwareRevision }) => hardwareRevision ?? null),
    hasConnection: changes.map(({ connection }) => flag(connection !== undefined)),
    connectionCounter: changes.map(({ connection }) => connection?.counter ?? null),
    connectionOpen: changes.map(({ connection }) =>
      connection === null ? null : flag(connection?.open === true),
    ),
    hasNotReady: changes.map(({ notReadyUntilMs }) => flag(notReadyUntilMs !== undefined)),
    notReadyUntilMs: changes.map(({ notReadyUntilMs }) => notReadyUntilMs ?? null),
    life: changes.map(({ life }) => life?.value ?? null),
    lifeSinceMs: changes.map(({ life }) => life?.sinceMs ?? null),
    hasSimSuspended: changes.map(({ simSuspendedMs }) => flag(simSuspendedMs !== undefined)),
    simSuspendedMs: changes.map(({ simSuspendedMs }) => simSuspendedMs ?? null),
  };
}

function flag(isSo: boolean): number {
  return isSo ? 1 : 0;
}

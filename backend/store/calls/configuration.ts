import { type Selectable, sql } from 'kysely';
import type {
  CalibrationReport,
  ConfigurationOrder,
  ConfigurationStore,
  FlashWipe,
} from '../port/configuration-store.ts';
import {
  afterCalibrated,
  afterDone,
  afterSetUp,
  afterWiped,
  type ConfirmedConfiguration,
  inForceOf,
} from '../port/confirmed.ts';
import type { SettledReply } from '../port/ingest-store.ts';
import { statement, type ValueOf } from '../statements/statement.ts';
import type { Tables } from '../statements/tables.ts';
import { type Calls, first, run, type Transaction } from '../statements/transaction.ts';

/** 2020-01-01T00:00:00Z: revisions are at least the seconds since then. */
const FIRST_SECOND_MS = 1_577_836_800_000;

const NOTHING: ConfirmedConfiguration = {
  revision: 0,
  features: {},
  decided: 0,
  calibrated: 0,
  epoch: undefined,
};

const handOut = statement(({ query, larger }, value: ValueOf<{ boxId: string; leastRevision: number }>) =>
  query
    .insertInto('configurations')
    .values({ box_id: value('boxId'), handed_out: value('leastRevision') })
    .onConflict((conflict) =>
      conflict.column('box_id').doUpdateSet((row) => ({
        handed_out: larger(row('configurations.handed_out', '+', sql.lit(1)), row.ref('excluded.handed_out')),
      })),
    )
    .returningAll(),
);
const find = statement(({ query }, value: ValueOf<{ boxId: string }>) =>
  query.selectFrom('configurations').selectAll().where('box_id', '=', value('boxId')),
);
const findToChange = statement(({ query, locked }, value: ValueOf<{ boxId: string }>) =>
  query.selectFrom('configurations').selectAll().where('box_id', '=', value('boxId')).modifyEnd(locked),
);
// A row exists once a revision was assigned; without one there is nothing to change.
const update = statement(
  (
    { query },
    value: ValueOf<{
      boxId: string;
      revision: number;
      features: string;
      decided: number;
      calibrated: number;
      epoch: number | null;
    }>,
  ) =>
    query
      .updateTable('configurations')
      .set({
        revision: value('revision'),
        features: value('features'),
        decided: value('decided'),
        calibrated: value('calibrated'),
        epoch: value('epoch'),
      })
      .where('box_id', '=', value('boxId')),
);
// Writes nothing if nothing changes, so that ingest need not reload the box: docs/store.md, One writer.
const setReport = statement(({ query }, value: ValueOf<{ boxId: string; reportS: number | null }>) =>
  query
    .updateTable('boxes')
    .set((row) => ({ version: row('version', '+', sql.lit(1)), standby_report_s: value('reportS') }))
    .where('id', '=', value('boxId'))
    .where('standby_report_s', 'is distinct from', value('reportS')),
);

/** Configurations. What boxes confirm is written by the functions below. */
export function configurationCalls(): Calls<ConfigurationStore> {
  return {
    *begin(boxId, atMs) {
      const leastRevision = Math.max(1, Math.floor((atMs - FIRST_SECOND_MS) / 1000));
      const row = yield* first(handOut, { boxId, leastRevision });
      return { revision: row?.handed_out ?? leastRevision, inForce: inForceOf(toConfirmed(row)) };
    },
    *read(boxId) {
      return inForceOf(toConfirmed(yield* first(find, { boxId })));
    },
  };
}

/**
 * The order of a `configure` that the box has done, whether or not a caller still waits for it. As the functions below,
 * part of the commit of ingest.
 */
export function configurationDone(
  order: ConfigurationOrder,
  { boxId, key, atMs }: Pick<SettledReply, 'boxId' | 'key' | 'atMs'>,
): Transaction<void> {
  return write(boxId, (before) => afterDone(before, order, key, atMs));
}

/** The box has been set up in a vehicle. */
export function configurationSetUp({ boxId, key }: Pick<SettledReply, 'boxId' | 'key'>): Transaction<void> {
  return write(boxId, (before) => afterSetUp(before, key));
}

/** The box has reported that it is calibrated. */
export function configurationCalibrated({ boxId, key }: CalibrationReport): Transaction<void> {
  return write(boxId, (before) => afterCalibrated(before, key));
}

/** The box has lost its configuration with its flash. */
export function configurationWiped({ boxId, epoch }: FlashWipe): Transaction<void> {
  return write(boxId, (before) => afterWiped(before, epoch));
}

/** The last revision that a box has confirmed; 0: none. */
export function* confirmedRevision(boxId: string): Transaction<number> {
  return toConfirmed(yield* first(find, { boxId })).revision;
}

function* write(
  boxId: string,
  change: (before: ConfirmedConfiguration) => ConfirmedConfiguration,
): Transaction<void> {
  const before = toConfirmed(yield* first(findToChange, { boxId }));
  const { revision, features, decided, calibrated, epoch } = change(before);
  yield* run(update, {
    boxId,
    revision,
    features: JSON.stringify(features),
    decided,
    calibrated,
    epoch: epoch ?? null,
  });
  const reportS = features['box-settings']?.parameters['standby_report_interval_in_seconds'];
  yield* run(setReport, { boxId, reportS: typeof reportS === 'number' ? reportS : null });
}

function toConfirmed(row: Selectable<Tables['configurations']> | undefined): ConfirmedConfiguration {
  if (row === undefined) return NOTHING;
  return {
    revision: row.revision,
    features: JSON.parse(row.features) as ConfirmedConfiguration['features'],
    decided: row.decided,
    calibrated: row.calibrated,
    epoch: row.epoch ?? undefined,
  };
}

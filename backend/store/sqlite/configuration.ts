import type { Database } from 'better-sqlite3';
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
import type { Synchronous } from './call.ts';

interface ConfigurationRow {
  readonly handed_out: number;
  readonly revision: number;
  readonly features: string;
  readonly decided: number;
  readonly calibrated: number;
  readonly epoch: number | null;
}

const NOTHING: ConfirmedConfiguration = {
  revision: 0,
  features: {},
  decided: 0,
  calibrated: 0,
  epoch: undefined,
};
/** 2020-01-01T00:00:00Z: revisions are at least the seconds since then. */
const FIRST_SECOND_MS = 1_577_836_800_000;

/** Configurations in SQLite. The commit of ingest writes what boxes confirm (`configurationWriter`). */
export function sqliteConfiguration(database: Database): Synchronous<ConfigurationStore> {
  const find = findConfirmed(database);
  const handOut = database.prepare<[string, number], { readonly handed_out: number }>(`
    INSERT INTO configurations (box_id, handed_out) VALUES (?, ?)
    ON CONFLICT (box_id) DO UPDATE SET handed_out = max(handed_out + 1, excluded.handed_out)
    RETURNING handed_out`);

  const begin = database.transaction((boxId: string, atMs: number) => {
    const least = Math.max(1, Math.floor((atMs - FIRST_SECOND_MS) / 1000));
    const revision = handOut.get(boxId, least)?.handed_out ?? least;
    return { revision, inForce: inForceOf(find(boxId)) };
  });

  return {
    begin: (boxId, atMs) => begin.immediate(boxId, atMs),
    read: (boxId) => inForceOf(find(boxId)),
  };
}

/** Writes what boxes have reported of their configuration. Every call is part of the commit of ingest. */
export interface ConfigurationWriter {
  /** The order of a `configure` that the box has done, whether or not a caller still waits for it. */
  done(order: ConfigurationOrder, settled: SettledReply): void;
  /** The box has been set up in a vehicle. */
  setUp(settled: Pick<SettledReply, 'boxId' | 'key'>): void;
  calibrated(calibration: CalibrationReport): void;
  flashWiped(flashWipe: FlashWipe): void;
}

export function configurationWriter(database: Database): ConfigurationWriter {
  const find = findConfirmed(database);
  // A row exists once a revision was assigned; without one there is nothing to change.
  const update = database.prepare(
    'UPDATE configurations SET revision = ?, features = ?, decided = ?, calibrated = ?, epoch = ? WHERE box_id = ?',
  );
  // Writes nothing if nothing changes, so that ingest need not reload the box: docs/store.md, One writer.
  const setReport = database.prepare(`
    UPDATE boxes SET version = version + 1, standby_report_s = @reportS
    WHERE id = @boxId AND standby_report_s IS NOT @reportS`);
  const write = (boxId: string, change: (before: ConfirmedConfiguration) => ConfirmedConfiguration): void => {
    const before = find(boxId);
    const { revision, features, decided, calibrated, epoch } = change(before);
    update.run(revision, JSON.stringify(features), decided, calibrated, epoch ?? null, boxId);
    const reportS = features['box-settings']?.parameters['standby_report_interval_in_seconds'];
    setReport.run({ boxId, reportS: typeof reportS === 'number' ? reportS : null });
  };
  return {
    done: (order, { boxId, key, atMs }) => write(boxId, (before) => afterDone(before, order, key, atMs)),
    setUp: ({ boxId, key }) => write(boxId, (before) => afterSetUp(before, key)),
    calibrated: ({ boxId, key }) => write(boxId, (before) => afterCalibrated(before, key)),
    flashWiped: ({ boxId, epoch }) => write(boxId, (before) => afterWiped(before, epoch)),
  };
}

/** The last revision that a box has confirmed; 0: none. For the transaction that opens a command. */
export function confirmedRevision(database: Database): (boxId: string) => number {
  const find = findConfirmed(database);
  return (boxId) => find(boxId).revision;
}

function findConfirmed(database: Database): (boxId: string) => ConfirmedConfiguration {
  const find = database.prepare<[string], ConfigurationRow>('SELECT * FROM configurations WHERE box_id = ?');
  return (boxId) => {
    const row = find.get(boxId);
    if (row === undefined) return NOTHING;
    return {
      revision: row.revision,
      features: JSON.parse(row.features) as ConfirmedConfiguration['features'],
      decided: row.decided,
      calibrated: row.calibrated,
      epoch: row.epoch ?? undefined,
    };
  };
}

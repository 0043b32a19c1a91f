import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../../../backend/store/sqlite/open.ts';
import { OutcomeRecording } from '../../../../../../scenarios/testbed/common/recordings/outcome-recording.ts';
import {
  type RowChange,
  watchRows,
} from '../../../../../../scenarios/testbed/common/recordings/row-changes.ts';

const BOX = '0123456789abcdef';

/** A database of the service whose rows are watched, and what was found of the statements that ran. */
function watched() {
  const database = openDatabase(':memory:');
  const take = watchRows(database);
  const recording = new OutcomeRecording(() => 1_000);
  return {
    database,
    recording,
    take,
    /** What the recording says of these statements. */
    found(...statements: readonly string[]): readonly string[] {
      const before = recording.history().changed.length;
      for (const one of statements) database.exec(one);
      recording.committed(take());
      return recording
        .history()
        .changed.slice(before)
        .map(({ text }) => text);
    },
  };
}

const COMMAND = `INSERT INTO commands (request_id, vehicle_id, box_id, flow_id, command, opened_ms, expires_ms, outcome, error)
  VALUES ('R1', 'V1', '${BOX}', 'F1', 'lock', 1, 2, 'open', '')`;
const JOB = `INSERT INTO bulk_jobs (id, fleet_id, flow_id, features, created_ms, expires_ms) VALUES ('J1', 'F', 'F1', '{}', 1, 2)`;
const ITEM = `INSERT INTO bulk_items (job_id, position, vehicle_id, due_ms) VALUES ('J1', 0, 'V1', 1)`;
const CONFIGURATION = `INSERT INTO configurations (box_id, handed_out) VALUES ('${BOX}', 5)`;
const outcome = (name: string) =>
  `UPDATE commands SET outcome = '${name}', settled_ms = coalesce(settled_ms, 0) + 1`;
const item = (status: string, reason: string) =>
  `UPDATE bulk_items SET status = '${status}', reason = '${reason}'`;
const confirmed = (revision: number, decided: number, features: object) =>
  `UPDATE configurations SET revision = ${revision}, decided = ${decided}, features = '${JSON.stringify(features)}'`;
const tracking = (revision: number, interval: number) => ({
  tracking: { revision, parameters: { interval } },
});

describe('a command', () => {
  test.each(['done', 'failed', 'expired', 'unsupported'])(
    'that its box has answered with %s keeps that',
    (name) => {
      const { found } = watched();
      expect(found(COMMAND, outcome(name))).toEqual([]);
      expect(found("UPDATE commands SET flow_id = 'F2'")).toEqual([]);
      const again = [outcome('done'), outcome('unknown'), "UPDATE commands SET error = 'x'"];
      for (const one of again)
        expect(found(one)).toEqual([expect.stringMatching(/^request R1 of vehicle V1: it was .*, and is /)]);
      expect(found('DELETE FROM commands')).toEqual([]);
    },
  );

  test.each(['unknown', 'withdrawn'])(
    'that was given up as %s is ended by an answer, and by nothing else',
    (name) => {
      const { found } = watched();
      expect(found(COMMAND, outcome(name), outcome('done'))).toEqual([]);
      const other = watched();
      expect(other.found(COMMAND, outcome(name))).toEqual([]);
      for (const another of ['unknown', 'withdrawn', 'open'])
        expect(other.found(outcome(another))).toHaveLength(1);
    },
  );
});

test.each(['applied', 'failed'])('a vehicle of a job that is %s stays so', (status) => {
  const { found } = watched();
  expect(found(JOB, ITEM, "UPDATE bulk_items SET detail = 'busy'", item(status, ''))).toEqual([]);
  expect(found('UPDATE bulk_items SET due_ms = 7, is_leased = 0')).toEqual([]);
  expect(found(item('pending', ''))).toEqual([
    `job J1, vehicle V1: it was ${status}, busy, and is pending, busy`,
  ]);
  expect(found(item(status, ''))).toEqual([]);
  expect(found(item(status, 'why'))).toEqual([
    `job J1, vehicle V1: it was ${status}, busy, and is ${status}, why, busy`,
  ]);
  expect(found('DELETE FROM bulk_items')).toEqual([]);
});

describe('a configuration', () => {
  test('rises in its revisions, is set back by a setup, and ends with the flash', () => {
    const { found } = watched();
    expect(
      found(
        CONFIGURATION,
        'UPDATE configurations SET handed_out = 6',
        confirmed(5, 10, tracking(5, 60)),
        'UPDATE configurations SET calibrated = 12',
        confirmed(6, 14, tracking(6, 60)),
        confirmed(8, 15, tracking(5, 60)),
        confirmed(8, 16, {}),
        "UPDATE configurations SET revision = 0, decided = 0, calibrated = 0, features = '{}', epoch = 9",
        confirmed(5, 2, tracking(5, 99)),
      ),
    ).toEqual([]);
  });

  test.each([
    ['whose revision falls', confirmed(4, 11, tracking(4, 1)), /revision was 5, and is 4$/],
    ['that is decided by an earlier reply', confirmed(6, 9, tracking(6, 1)), /decided was 10, and is 9$/],
    [
      'that is another one with the same revision',
      confirmed(5, 10, tracking(5, 1)),
      /revision 5 was .*60.*, and is .*1/,
    ],
    [
      'that changes what it keeps',
      confirmed(6, 11, tracking(5, 1)),
      /tracking of revision 5 was .*60.*, and is .*1/,
    ],
    [
      'whose calibration is forgotten',
      'UPDATE configurations SET calibrated = 11',
      /calibrated was 12, and is 11$/,
    ],
    [
      'of which a revision is handed out twice',
      'UPDATE configurations SET handed_out = 4',
      /revision 4 is handed out after 5$/,
    ],
  ])('%s has changed', (_, statement, text) => {
    const { found } = watched();
    expect(
      found(CONFIGURATION, confirmed(5, 10, tracking(5, 60)), 'UPDATE configurations SET calibrated = 12'),
    ).toEqual([]);
    expect(found(statement)).toEqual([expect.stringMatching(text)]);
  });
});

test('changes are taken in their order and once, and those that are rolled back are none', () => {
  const { database, take } = watched();
  database.exec(`BEGIN; ${COMMAND}; ${outcome('done')}; ROLLBACK`);
  expect(take()).toEqual([]);
  database.exec(
    `BEGIN; ${COMMAND}; SAVEPOINT one; ${outcome('failed')}; ROLLBACK TO one; ${outcome('done')}; COMMIT`,
  );
  const kinds = ({ kind, before, after }: RowChange) => [kind, before?.['outcome'], after?.['outcome']];
  expect(take().map(kinds)).toEqual([
    ['command', undefined, 'open'],
    ['command', 'open', 'done'],
  ]);
  expect(take()).toEqual([]);
});

test('the number of changed rows that a statement tells is that of its own table', () => {
  const { database } = watched();
  database.exec(COMMAND);
  expect(database.prepare(outcome('done')).run().changes).toBe(1);
  expect(database.prepare(`${outcome('failed')} WHERE outcome = 'open'`).run().changes).toBe(0);
});

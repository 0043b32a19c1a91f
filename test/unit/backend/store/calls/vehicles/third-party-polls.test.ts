import type { Database } from 'better-sqlite3';
import { expect, test } from 'vitest';
import { pollCalls } from '../../../../../../backend/store/calls/vehicles/third-party-polls.ts';
import { sqliteParts } from '../../../../../../backend/store/sqlite/calls.ts';
import { atOnce, stepper, synchronous } from '../../../../../../backend/store/sqlite/executor.ts';
import { openDatabase } from '../../../../../../backend/store/sqlite/open.ts';

const MAKER = 'northwind';
const T = Date.UTC(2026, 0, 1, 8);
const VEHICLES = 500;

/** Notes the text of each statement when it is run, from now on. */
function noteStatements(database: Database): string[] {
  const run: string[] = [];
  const prepare = database.prepare.bind(database);
  database.prepare = ((sql: string) => {
    const statement = prepare(sql);
    for (const name of ['run', 'get', 'all'] as const) {
      const original = statement[name].bind(statement) as (...values: unknown[]) => never;
      statement[name] = (...values: unknown[]) => {
        run.push(sql);
        return original(...values);
      };
    }
    return statement;
  }) as Database['prepare'];
  return run;
}

/** How SQLite goes through the tables for a statement, a line for each (https://sqlite.org/eqp.html). */
function planOf(database: Database, sql: string): readonly string[] {
  const values = Array.from(sql.matchAll(/\?/g), () => null);
  const rows = database.prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
  return rows.all(...values).map(({ detail }) => detail);
}

/** A database with vehicles of the maker. */
function openWithVehicles(): Database {
  const database = openDatabase(':memory:');
  const { vehicles } = sqliteParts(database);
  for (let index = 0; index < VEHICLES; index += 1) {
    const link = { name: MAKER, vehicleId: `car_${index}` };
    vehicles.saveMakerUnit({ link, fleetId: 'FLEET1' });
    vehicles.create({
      id: `V${10_000 + index}`,
      fleetId: 'FLEET1',
      telematics: { maker: link },
      model: 'electric-estate',
      setupStatus: 'SUCCEEDED',
      masterData: {},
      customFields: {},
      tags: [],
      atMs: T,
    });
  }
  return database;
}

const query = (nowMs: number) => ({ makers: [MAKER], nowMs, leasedUntilMs: nowMs + 30_000, limit: 9_999 });

test('a claim finds due vehicles by its index, and scans all vehicles only occasionally', () => {
  const database = openWithVehicles();
  const run = noteStatements(database);
  const store = synchronous(stepper(database), pollCalls());
  expect(store.claim(query(T))).toHaveLength(VEHICLES);
  run.length = 0;
  for (let count = 0; count < 200; count += 1) expect(store.claim(query(T + 1 + count))).toEqual([]);
  expect(run).toHaveLength(200);
  const statements = new Set(run);
  expect(statements.size).toBe(1);
  for (const sql of statements) {
    const plan = planOf(database, sql);
    expect(plan[0]).toContain('SEARCH t USING INDEX third_party_by_due (due_ms<?)');
    expect(plan[1]).toContain('SEARCH v USING PRIMARY KEY (id=?)');
  }
});

test('a claim that is carried out again from its beginning looks for linked vehicles again', () => {
  const database = openWithVehicles();
  const take = stepper(database);
  const { claim } = pollCalls();
  const interrupted = claim(query(T));
  const ended = database.transaction(() => {
    for (let next = interrupted.next(); !next.done; next = interrupted.next(take(next.value)))
      if (next.value.kind === 'statement' && 'vehicleIds' in next.value.values) throw new Error('in the way');
  });
  expect(ended).toThrow('in the way');
  expect(atOnce(take, claim(query(T)))).toHaveLength(VEHICLES);
});

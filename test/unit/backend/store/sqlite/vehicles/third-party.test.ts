import type { Database } from 'better-sqlite3';
import { expect, test } from 'vitest';
import { vehicleCalls } from '../../../../../../backend/store/calls/vehicles/vehicles.ts';
import { stepper, synchronous } from '../../../../../../backend/store/sqlite/carry-out.ts';
import { openDatabase } from '../../../../../../backend/store/sqlite/open.ts';
import { sqliteThirdParty } from '../../../../../../backend/store/sqlite/vehicles/third-party.ts';

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

test('a claim finds due vehicles by its index, and scans all vehicles only occasionally', async () => {
  const database = openDatabase(':memory:');
  const vehicles = synchronous(stepper(database), vehicleCalls());
  const run = noteStatements(database);
  const store = sqliteThirdParty(database);
  for (let index = 0; index < VEHICLES; index += 1)
    await vehicles.create({
      id: `V${10_000 + index}`,
      fleetId: 'FLEET1',
      telematics: { maker: { name: MAKER, vehicleId: `car_${index}` } },
      model: 'electric-estate',
      setupStatus: 'SUCCEEDED',
      masterData: {},
      customFields: {},
      tags: [],
      atMs: T,
    });
  const claim = (nowMs: number) =>
    store.claim({ makers: [MAKER], nowMs, leasedUntilMs: nowMs + 30_000, limit: 9_999 });
  expect(await claim(T)).toHaveLength(VEHICLES);
  run.length = 0;
  for (let count = 0; count < 200; count += 1) expect(await claim(T + 1 + count)).toEqual([]);
  expect(run).toHaveLength(200);
  const statements = new Set(run);
  expect(statements.size).toBe(1);
  for (const sql of statements) {
    const plan = planOf(database, sql);
    expect(plan[0]).toContain('SEARCH t USING INDEX third_party_by_due (due_ms<?)');
    expect(plan[1]).toContain('SEARCH v USING PRIMARY KEY (id=?)');
  }
});

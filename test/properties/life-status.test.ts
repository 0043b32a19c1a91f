import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { vehicleLifeStatus } from '../../backend/store/port/life-status.ts';
import type { Store } from '../../backend/store/port/store.ts';
import type { BoxVehicle, LifeStatus } from '../../backend/store/port/stored-vehicle.ts';
import type { SimAction } from '../../backend/store/port/vehicle-store.ts';
import { openSqliteStore } from '../../backend/store/sqlite/store.ts';
import type { Message } from '../../protocol/message.ts';
import { frame, payloadOf, reduceOf } from '../support/backend/ingest-input.ts';
import { BOX_ID, ingestBatch, newVehicle } from '../support/store/store-rows.ts';

const T = Date.UTC(2026, 0, 5, 6);
const MINUTE = 60_000;

type Deed =
  | { readonly do: 'say'; readonly message: Message; readonly retained?: boolean }
  | { readonly do: 'sim'; readonly to: SimAction['made'] }
  | { readonly do: 'new-broker' };

const hello = (connection: number): Message => ({
  kind: 'hello',
  connection,
  firmware: [2, 30],
  hardwareRevision: 1,
  resetReason: 'SOFTWARE',
  lowestHeld: 1,
  nextSequence: 1,
  configurationRevision: 0,
});

const counter = fc.integer({ min: 1, max: 4 });
const deeds: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({
    do: fc.constant('say' as const),
    message: fc.oneof(
      counter.map((connection): Message => ({ kind: 'birth', connection })),
      counter.map((connection): Message => ({ kind: 'gone', connection })),
      counter.map(hello),
      fc.constant<Message>({ kind: 'ready' }),
      counter.map(
        (connection): Message => ({ kind: 'going-down', connection, reason: 'reset', expectedS: 20 }),
      ),
    ),
    retained: fc.boolean(),
  }),
  fc.constant<Deed>({ do: 'say', message: { kind: 'ready' } }),
  fc.constantFrom<Deed>(
    { do: 'sim', to: 'suspended' },
    { do: 'sim', to: 'active' },
    { do: 'sim', to: 'detached' },
  ),
  fc.constant<Deed>({ do: 'new-broker' }),
);
const pauses = fc.oneof(
  fc.integer({ min: 0, max: 5_000 }),
  fc.integer({ min: 0, max: 90 * MINUTE }),
  fc.constantFrom(3 * MINUTE, 35 * MINUTE, 40 * MINUTE),
);

describe('the life status', () => {
  let store: Store;
  afterEach(() => store.close());

  /** A store with a vehicle whose box reports that often at rest. */
  async function storeWith(reportS: number): Promise<Store> {
    const empty = openSqliteStore(':memory:');
    await empty.vehicles.save(newVehicle({ atMs: T }));
    const database = new Database(empty.serialize());
    await empty.close();
    database.prepare('UPDATE boxes SET standby_report_s = ?').run(reportS);
    const bytes = database.serialize();
    database.close();
    return openSqliteStore(bytes);
  }

  async function vehicle(): Promise<BoxVehicle & { readonly version: number }> {
    const known = (await store.ingest.load([BOX_ID])).get(BOX_ID);
    if (known === undefined) throw new Error('the box is not there');
    return { ...known.vehicle, version: known.version };
  }

  async function carryOut(deed: Deed, atMs: number): Promise<void> {
    if (deed.do === 'sim') {
      const { connection } = (await vehicle()).box;
      return store.vehicles.simActionDone({
        boxId: BOX_ID,
        made: deed.to,
        connection: connection?.counter,
        atMs,
      });
    }
    if (deed.do === 'new-broker') return store.ingest.forgetConnections(atMs);
    const { message, retained = false } = deed;
    const before = await vehicle();
    const isPresence = message.kind === 'birth' || message.kind === 'gone';
    const payload = payloadOf([frame(message)], { receivedMs: atMs, retained: retained && isPresence });
    const batchResult = reduceOf([payload], { vehicle: before });
    const boxes = batchResult.boxes.map((change) => ({ ...change, version: before.version }));
    expect((await store.ingest.commit(ingestBatch({ boxes }))).stale).toEqual([]);
  }

  test('changes exactly at its time, and its time changes only with the status', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(pauses, deeds), { minLength: 1, maxLength: 12 }),
        fc.constantFrom(60, 1_800, 7_200),
        async (steps, reportS) => {
          store = await storeWith(reportS);
          let atMs = T;
          let seen: LifeStatus = { value: 'OFFLINE', sinceMs: T };
          let seenMs = T;
          const look = async (ms: number) => {
            const shown = vehicleLifeStatus(await vehicle(), ms);
            if (shown.value === seen.value) expect(shown).toEqual(seen);
            else {
              // Not visible in any earlier query, visible in every query from now on.
              expect(shown.sinceMs).toBeGreaterThanOrEqual(seenMs);
              expect(shown.sinceMs).toBeLessThanOrEqual(ms);
            }
            [seen, seenMs] = [shown, ms];
          };
          for (const [pauseMs, deed] of steps) {
            for (let ms = atMs + MINUTE; ms < atMs + pauseMs; ms += MINUTE) await look(ms);
            atMs += pauseMs;
            await look(atMs);
            await carryOut(deed, atMs);
            await look(atMs);
          }
          for (let ms = atMs; ms < atMs + 150 * MINUTE; ms += MINUTE) await look(ms);
          expect(seen.value).toBe('OFFLINE');
          await store.close();
        },
      ),
      { numRuns: 60 },
    );
  });
});

import type { Database } from 'better-sqlite3';
import { afterEach, describe, expect, test } from 'vitest';
import type { OutgoingMessage } from '../../../../../../backend/store/port/outbox-store.ts';
import { MIGRATIONS } from '../../../../../../backend/store/sqlite/migrations/list.ts';
import { openDatabase } from '../../../../../../backend/store/sqlite/open.ts';
import { messageWriter, sqliteOutbox } from '../../../../../../backend/store/sqlite/outbox/outbox.ts';
import { partitionOf } from '../../../../../../protocol/partitions.ts';
import { outgoingMessage, START_MS } from '../../../../../support/store/store-rows.ts';

const BODY = 'ä{}';
const BODY_BYTES = 4;
const messages = (count: number): OutgoingMessage[] =>
  Array.from({ length: count }, (_, index) => outgoingMessage(`M${index}`, { body: BODY }));

describe('the count of the outbox', () => {
  const open: Database[] = [];
  afterEach(() => {
    for (const database of open.splice(0)) database.close();
  });
  /** A store's outbox; upon `before` as a process that comes after a crash of another has it. */
  function kit(before?: Database) {
    const bytes = before?.serialize();
    // In memory there is no WAL beside it.
    if (bytes !== undefined) bytes.fill(1, 18, 20);
    const database = openDatabase(bytes ?? ':memory:');
    open.push(database);
    const outbox = sqliteOutbox(database);
    const writer = messageWriter(database);
    const write = database.transaction((count: number) => writer(messages(count)));
    const positions = async () =>
      (await outbox.next({ afterPosition: 0, limit: 10_000 })).map(({ position }) => position);
    return { database, outbox, writer, write: (count: number) => write.immediate(count), positions };
  }
  const ofMessages = (count: number) => ({ messages: count, bytes: count * BODY_BYTES });

  test('is exact before and after each thousand messages, whichever of them are removed, and after a crash', async () => {
    const { database, outbox, write, positions } = kit();
    write(999);
    expect(await outbox.size()).toMatchObject(ofMessages(999));
    for (let index = 0; index < 5; index += 1) write(1);
    expect(await outbox.size()).toMatchObject(ofMessages(1004));
    const all = await positions();
    await outbox.sent(all.filter((position) => position % 2 === 0));
    await outbox.sent(all.slice(0, 2));
    await outbox.sent(all.slice(-2));
    expect(await outbox.size()).toMatchObject(ofMessages(500));
    expect(await kit(database).outbox.size()).toMatchObject(ofMessages(500));
    await outbox.sent(all);
    expect(await outbox.size()).toEqual({ messages: 0, bytes: 0, oldestMs: undefined });
    expect(await kit(database).outbox.size()).toMatchObject(ofMessages(0));
  });

  test('a call may write more than a thousand', async () => {
    const { outbox, write, positions } = kit();
    write(2_500);
    expect(await outbox.size()).toMatchObject(ofMessages(2_500));
    expect(await positions()).toEqual(Array.from({ length: 2_500 }, (_, index) => index + 1));
  });

  test('positions are consecutive, and none is used twice, even after a crash', async () => {
    const { database, outbox, write } = kit();
    const rows = [...write(3), ...write(1)];
    expect(rows.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
    await outbox.sent([1, 2, 3, 4]);
    const [next] = kit(database).write(1);
    expect(next?.position).toBeGreaterThan(4);
  });

  test('that was rolled back with its transaction is written again', async () => {
    const { database, outbox, writer, write, positions } = kit();
    write(998);
    const failing = database.transaction(() => {
      writer(messages(5));
      throw new Error('stale');
    });
    expect(() => failing.immediate()).toThrow('stale');
    const [next] = write(1);
    expect(await outbox.size()).toMatchObject(ofMessages(999));
    const after = kit(database);
    expect(await after.outbox.size()).toMatchObject(ofMessages(999));
    expect(after.write(1)[0]?.position).toBeGreaterThan(next?.position ?? Number.POSITIVE_INFINITY);
    await outbox.sent(await positions());
    expect(await outbox.size()).toMatchObject(ofMessages(0));
  });

  test('of an older database continues from its value', async () => {
    const old = openDatabase(':memory:', { migrations: MIGRATIONS.filter(({ version }) => version < 19) });
    old.exec(`
      INSERT INTO outbox (position, message_id, vehicle_id, fleet_id, name, version, flow_id, created_ms, body)
        VALUES (41, 'M41', 'VEH01', 'FLEET1', 'VehicleStateReceived', '2.0.0', 'flow', ${START_MS}, '${BODY}'),
          (42, 'M42', 'VEH01', 'FLEET1', 'VehicleStateReceived', '2.0.0', 'flow', ${START_MS}, '${BODY}');
      DELETE FROM outbox WHERE position = 42;
      UPDATE outbox_size SET messages = 1, bytes = ${BODY_BYTES};`);
    open.push(old);
    const { database, outbox, write } = kit(old);
    expect(await outbox.size()).toEqual({ ...ofMessages(1), oldestMs: START_MS });
    expect(await outbox.next({ afterPosition: 0, limit: 2 })).toMatchObject([
      { position: 41, messageId: 'M41', partition: partitionOf('VEH01') },
    ]);
    expect(write(1)).toMatchObject([{ position: 43 }]);
    await outbox.sent([41, 43]);
    expect(await outbox.size()).toMatchObject(ofMessages(0));
    expect(database.prepare("SELECT 1 FROM sqlite_sequence WHERE name LIKE 'outbox%'").all()).toEqual([]);
  });
});

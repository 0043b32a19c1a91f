import type { Database } from 'better-sqlite3';
import { array, assert, asyncProperty, constantFrom, integer, oneof, record } from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { limits } from '../../../../../../backend/limits.ts';
import { type OutboxBounds, outboxLimits } from '../../../../../../backend/store/port/outbox-limits.ts';
import type { OutboxStore, OutgoingMessage } from '../../../../../../backend/store/port/outbox-store.ts';
import type { Synchronous } from '../../../../../../backend/store/sqlite/call.ts';
import { openDatabase } from '../../../../../../backend/store/sqlite/open.ts';
import { messageWriter, sqliteOutbox } from '../../../../../../backend/store/sqlite/outbox/outbox.ts';
import { openSqliteStore } from '../../../../../../backend/store/sqlite/sqlite-store.ts';
import {
  ingestBatch,
  outgoingMessage as messageOf,
  START_MS,
} from '../../../../../support/store/store-rows.ts';

const DAY_MS = 24 * 3_600_000;
const BOUNDS: OutboxBounds = {
  messages: 10,
  bytes: 200,
  ageMs: 7 * DAY_MS,
  droppedPerCall: 1_000,
  droppedNames: 1_000,
};

/** One database serves all runs: making one takes longer than a run. */
const EMPTY = `DELETE FROM outbox; DELETE FROM outbox_dropped; DELETE FROM outbox_drops;
  UPDATE outbox_size SET messages = 0, bytes = 0`;

interface Kit {
  readonly database: Database;
  readonly outbox: Synchronous<OutboxStore>;
  write(...messages: OutgoingMessage[]): void;
}

describe('the limit of the outbox', () => {
  let open: Kit | undefined;
  afterEach(() => {
    open?.database.close();
  });
  function kit(bounds: Partial<OutboxBounds> = {}): Kit {
    const database = openDatabase(':memory:');
    const writer = messageWriter(database, { ...BOUNDS, ...bounds });
    const write = database.transaction((messages: OutgoingMessage[]) => writer(messages));
    open = { database, outbox: sqliteOutbox(database), write: (...messages) => write.immediate(messages) };
    return open;
  }
  const number = (index: number, change: Partial<OutgoingMessage> = {}) =>
    messageOf(`M${String(index).padStart(3, '0')}`, { body: '{}', ...change });
  const numbers = (from: number, to: number, change: Partial<OutgoingMessage> = {}) =>
    Array.from({ length: to - from + 1 }, (_, index) => number(from + index, change));
  const ids = (from: number, to: number) => numbers(from, to).map(({ messageId }) => messageId);
  const left = async (outbox: Synchronous<OutboxStore>) =>
    (await outbox.next({ afterPosition: 0, limit: 100 })).map(({ messageId }) => messageId);

  test('nothing is dropped up to the limit, and only the oldest over it', async () => {
    const { outbox, write } = kit();
    write(...numbers(1, 10));
    expect(await outbox.drops()).toEqual([]);
    write(...numbers(11, 13, { fleetId: 'FLEET2' }));
    expect(await left(outbox)).toEqual(ids(4, 13));
    expect(await outbox.drops()).toEqual([
      { fleetId: 'FLEET1', reason: 'messages', messages: 3, arrived: 0, lastMs: START_MS },
    ]);
  });

  test('bodies count in bytes of UTF-8, and sent messages free space', async () => {
    const { outbox, write } = kit();
    write(number(1, { body: 'ä'.repeat(50) }), number(2, { body: 'x'.repeat(100) }));
    expect(await outbox.size()).toMatchObject({ messages: 2, bytes: 200 });
    const [first] = await outbox.next({ afterPosition: 0, limit: 1 });
    await outbox.sent([first?.position ?? 0]);
    write(number(3, { body: 'x'.repeat(100) }));
    expect(await outbox.drops()).toEqual([]);
    write(number(4, { body: 'x' }));
    expect(await left(outbox)).toEqual(ids(3, 4));
    expect(await outbox.drops()).toMatchObject([{ reason: 'bytes', messages: 1 }]);
  });

  test('messages seven days older than the newest are dropped for their age', async () => {
    const store = openSqliteStore(':memory:');
    const at = (messageId: string, createdMs: number) =>
      ingestBatch({ messages: [messageOf(messageId, { createdMs })] });
    await store.ingest.commit(at('M1', START_MS));
    await store.ingest.commit(at('M2', START_MS + DAY_MS));
    await store.ingest.commit(at('M3', START_MS + outboxLimits.ageMs));
    expect((await store.outbox.size()).messages).toBe(3);
    await store.ingest.commit(at('M4', START_MS + outboxLimits.ageMs + 1));
    expect(await store.outbox.size()).toMatchObject({ messages: 3, oldestMs: START_MS + DAY_MS });
    expect(await store.outbox.dropped(['M1', 'M2', 'M4', 'no such'])).toMatchObject([
      { messageId: 'M1', reason: 'age', createdMs: START_MS, droppedMs: START_MS + outboxLimits.ageMs + 1 },
    ]);
    await store.close();
  });

  test('a message that was dropped on its way and confirmed all the same is not missing', async () => {
    const { outbox, write } = kit();
    write(...numbers(1, 10));
    const onTheirWay = await outbox.next({ afterPosition: 0, limit: 2 });
    write(...numbers(11, 14));
    await outbox.sent(onTheirWay.map(({ position }) => position));
    await outbox.sent(onTheirWay.map(({ position }) => position));
    expect(await outbox.drops()).toMatchObject([{ messages: 4, arrived: 2 }]);
    expect((await outbox.dropped(ids(1, 4))).map(({ messageId }) => messageId)).toEqual(ids(3, 4));
    expect((await outbox.size()).messages).toBe(10);
  });

  test('a transaction that is rolled back drops nothing and counts nothing', async () => {
    const { database, outbox, write } = kit();
    write(...numbers(1, 10));
    const writer = messageWriter(database, BOUNDS);
    const failing = database.transaction(() => {
      writer(numbers(11, 14));
      throw new Error('stale');
    });
    expect(() => failing.immediate()).toThrow('stale');
    expect(await left(outbox)).toEqual(ids(1, 10));
    expect(await outbox.size()).toMatchObject({ messages: 10, bytes: 20 });
    expect(await outbox.drops()).toEqual([]);
  });

  test('one call drops only a limited number, and the stored names are limited too', async () => {
    const { outbox, write } = kit({ droppedPerCall: 4, droppedNames: 5 });
    write(...numbers(1, 10, { createdMs: START_MS - 8 * DAY_MS }));
    write(number(11));
    expect((await left(outbox)).length).toBe(7);
    write(number(12));
    write(number(13));
    expect(await left(outbox)).toEqual(ids(11, 13));
    expect(await outbox.drops()).toMatchObject([{ reason: 'age', messages: 10 }]);
    expect((await outbox.dropped(ids(1, 10))).map(({ messageId }) => messageId)).toEqual(ids(6, 10));
  });

  test('a queue keeps its messages for as long as the outbox does', () => {
    expect(outboxLimits.ageMs).toBe(limits.messageTtlMs);
  });

  test('whatever is written and sent: the size is exact, and each message is waiting, sent or dropped', async () => {
    const deed = oneof(
      record({
        kind: constantFrom('write' as const),
        count: integer({ min: 1, max: 6 }),
        bodyBytes: integer({ min: 0, max: 60 }),
        laterMs: integer({ min: 0, max: 3 * DAY_MS }),
      }),
      record({ kind: constantFrom('send' as const), every: integer({ min: 1, max: 3 }) }),
    );
    const { database, outbox, write } = kit();
    await assert(
      asyncProperty(array(deed, { maxLength: 25 }), async (deeds) => {
        database.exec(EMPTY);
        const written: OutgoingMessage[] = [];
        const sent = new Set<string>();
        let nowMs = START_MS;
        for (const one of deeds) {
          if (one.kind === 'send') {
            const rows = await outbox.next({ afterPosition: 0, limit: 100 });
            const chosen = rows.filter((_, index) => index % one.every === 0);
            for (const { messageId } of chosen) sent.add(messageId);
            await outbox.sent(chosen.map(({ position }) => position));
            continue;
          }
          nowMs += one.laterMs;
          const change = { createdMs: nowMs, body: 'x'.repeat(one.bodyBytes) };
          const messages = numbers(written.length, written.length + one.count - 1, change);
          written.push(...messages);
          write(...messages);
          const { messages: waiting, bytes, oldestMs } = await outbox.size();
          expect(waiting).toBeLessThanOrEqual(BOUNDS.messages);
          expect(bytes).toBeLessThanOrEqual(BOUNDS.bytes);
          if (oldestMs !== undefined) expect(oldestMs).toBeGreaterThanOrEqual(nowMs - BOUNDS.ageMs);
        }
        const rows = await outbox.next({ afterPosition: 0, limit: 100 });
        const waiting = new Set(rows.map(({ messageId }) => messageId));
        const bytes = rows.reduce((sum, { body }) => sum + body.length, 0);
        expect(await outbox.size()).toMatchObject({ messages: rows.length, bytes });
        const dropped = new Set(
          (await outbox.dropped(written.map(({ messageId }) => messageId))).map(({ messageId }) => messageId),
        );
        for (const { messageId } of written)
          expect([waiting, sent, dropped].filter((one) => one.has(messageId))).toHaveLength(1);
      }),
      { numRuns: 100 },
    );
  });
});

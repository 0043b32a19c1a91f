import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { type OutboxBounds, outboxLimits } from '../../backend/store/port/outbox-limits.ts';
import type { OutboxRow, OutboxStore, OutgoingMessage } from '../../backend/store/port/outbox-store.ts';
import { outgoingMessage as messageOf, START_MS } from '../support/store/store-rows.ts';

/** An outbox with bounds of a test's own, empty at first. */
export interface OutboxKit {
  readonly outbox: OutboxStore;
  /** Writes messages in a transaction of their own. Their rows; none if any were dropped. */
  write(messages: readonly OutgoingMessage[]): Promise<readonly OutboxRow[]>;
  /** The same, but the transaction fails behind it. */
  writeInVain(messages: readonly OutgoingMessage[]): Promise<void>;
  /** Forgets all messages, also the dropped ones. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

const DAY_MS = 24 * 3_600_000;
const BOUNDS: OutboxBounds = {
  messages: 10,
  bytes: 200,
  ageMs: 7 * DAY_MS,
  droppedPerCall: 1_000,
  droppedNames: 1_000,
};

/** The bounds of an outbox, whichever database it is in. `runs`: of drawn courses, in one outbox. */
export function outboxBoundContract(
  name: string,
  open: (bounds: OutboxBounds) => Promise<OutboxKit>,
  runs: number,
): void {
  describe(`the limit of the outbox in ${name}`, () => {
    let opened: OutboxKit | undefined;
    afterEach(() => opened?.close());
    async function kit(bounds: Partial<OutboxBounds> = {}) {
      opened = await open({ ...BOUNDS, ...bounds });
      const { outbox } = opened;
      const { write, writeInVain } = opened;
      return {
        outbox,
        empty: opened.empty,
        write: (...messages: readonly OutgoingMessage[]) => write(messages),
        writeInVain: (...messages: readonly OutgoingMessage[]) => writeInVain(messages),
        waiting: async () =>
          (await outbox.next({ afterPosition: 0, limit: 100 })).map(({ messageId }) => messageId),
      };
    }
    const number = (index: number, change: Partial<OutgoingMessage> = {}) =>
      messageOf(`M${String(index).padStart(3, '0')}`, { body: '{}', ...change });
    const numbers = (from: number, to: number, change: Partial<OutgoingMessage> = {}) =>
      Array.from({ length: to - from + 1 }, (_, index) => number(from + index, change));
    const ids = (from: number, to: number) => numbers(from, to).map(({ messageId }) => messageId);

    test('nothing is dropped up to the limit, and only the oldest over it', async () => {
      const { outbox, write, waiting } = await kit();
      await write(...numbers(1, 10));
      expect(await outbox.drops()).toEqual([]);
      expect(await write(...numbers(11, 13, { fleetId: 'FLEET2' }))).toEqual([]);
      expect(await waiting()).toEqual(ids(4, 13));
      expect(await outbox.drops()).toEqual([
        { fleetId: 'FLEET1', reason: 'messages', messages: 3, arrived: 0, lastMs: START_MS },
      ]);
    });

    test('bodies count in bytes of UTF-8, and sent messages free space', async () => {
      const { outbox, write, waiting } = await kit();
      await write(number(1, { body: 'ä'.repeat(50) }), number(2, { body: 'x'.repeat(100) }));
      expect(await outbox.size()).toMatchObject({ messages: 2, bytes: 200 });
      const [first] = await outbox.next({ afterPosition: 0, limit: 1 });
      await outbox.sent([first?.position ?? 0]);
      await write(number(3, { body: 'x'.repeat(100) }));
      expect(await outbox.drops()).toEqual([]);
      await write(number(4, { body: 'x' }));
      expect(await waiting()).toEqual(ids(3, 4));
      expect(await outbox.drops()).toMatchObject([{ reason: 'bytes', messages: 1 }]);
    });

    test('messages seven days older than the newest are dropped for their age', async () => {
      const { outbox, write } = await kit(outboxLimits);
      const at = (messageId: string, createdMs: number) => write(messageOf(messageId, { createdMs }));
      await at('M1', START_MS);
      await at('M2', START_MS + DAY_MS);
      await at('M3', START_MS + outboxLimits.ageMs);
      expect((await outbox.size()).messages).toBe(3);
      await at('M4', START_MS + outboxLimits.ageMs + 1);
      expect(await outbox.size()).toMatchObject({ messages: 3, oldestMs: START_MS + DAY_MS });
      expect(await outbox.dropped(['M1', 'M2', 'M4', 'no such'])).toMatchObject([
        { messageId: 'M1', reason: 'age', createdMs: START_MS, droppedMs: START_MS + outboxLimits.ageMs + 1 },
      ]);
    });

    test('the oldest of all partitions are dropped, whichever partition the new ones are of', async () => {
      const { outbox, write, waiting } = await kit({ messages: 4 });
      for (const [index, partition] of [60, 2, 31, 2].entries())
        await write(number(index, { partition, createdMs: START_MS + index }));
      await write(...numbers(4, 5, { partition: 9, createdMs: START_MS + 9 }));
      expect((await waiting()).toSorted()).toEqual(ids(2, 5));
      expect((await outbox.dropped(ids(0, 5))).map(({ messageId }) => messageId)).toEqual(ids(0, 1));
      expect(await outbox.size()).toEqual({ messages: 4, bytes: 8, oldestMs: START_MS + 2 });
    });

    test('a message that was dropped on its way and confirmed all the same is not missing', async () => {
      const { outbox, write } = await kit();
      await write(...numbers(1, 10));
      const onTheirWay = await outbox.next({ afterPosition: 0, limit: 2 });
      await write(...numbers(11, 14));
      await outbox.sent(onTheirWay.map(({ position }) => position));
      await outbox.sent(onTheirWay.map(({ position }) => position));
      expect(await outbox.drops()).toMatchObject([{ messages: 4, arrived: 2 }]);
      expect((await outbox.dropped(ids(1, 4))).map(({ messageId }) => messageId)).toEqual(ids(3, 4));
      expect((await outbox.size()).messages).toBe(10);
    });

    test('a transaction that is rolled back drops nothing and counts nothing', async () => {
      const { outbox, write, writeInVain, waiting } = await kit();
      await write(...numbers(1, 10));
      await expect(writeInVain(...numbers(11, 14))).rejects.toThrow('in vain');
      expect(await waiting()).toEqual(ids(1, 10));
      expect(await outbox.size()).toMatchObject({ messages: 10, bytes: 20 });
      expect(await outbox.drops()).toEqual([]);
      await write(number(11));
      expect(await waiting()).toEqual(ids(2, 11));
    });

    test('one call drops only a limited number, and the stored names are limited too', async () => {
      const { outbox, write, waiting } = await kit({ droppedPerCall: 4, droppedNames: 5 });
      await write(...numbers(1, 10, { createdMs: START_MS - 8 * DAY_MS }));
      await write(number(11));
      expect((await waiting()).length).toBe(7);
      await write(number(12));
      await write(number(13));
      expect(await waiting()).toEqual(ids(11, 13));
      expect(await outbox.drops()).toMatchObject([{ reason: 'age', messages: 10 }]);
      expect((await outbox.dropped(ids(1, 10))).map(({ messageId }) => messageId)).toEqual(ids(6, 10));
    });

    test('whatever is written and sent: the size is exact, and each message is waiting, sent or dropped', async () => {
      const deed = fc.oneof(
        fc.record({
          kind: fc.constantFrom('write' as const),
          count: fc.integer({ min: 1, max: 6 }),
          partition: fc.integer({ min: 0, max: 2 }),
          bodyBytes: fc.integer({ min: 0, max: 60 }),
          laterMs: fc.integer({ min: 0, max: 3 * DAY_MS }),
        }),
        fc.record({ kind: fc.constantFrom('send' as const), every: fc.integer({ min: 1, max: 3 }) }),
      );
      const { outbox, write, empty } = await kit();
      await fc.assert(
        fc.asyncProperty(fc.array(deed, { maxLength: 25 }), async (deeds) => {
          await empty();
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
            const { partition, count } = one;
            const change = { partition, createdMs: nowMs, body: 'x'.repeat(one.bodyBytes) };
            const messages = numbers(written.length, written.length + count - 1, change);
            written.push(...messages);
            await write(...messages);
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
            (await outbox.dropped(written.map(({ messageId }) => messageId))).map(
              ({ messageId }) => messageId,
            ),
          );
          for (const { messageId } of written)
            expect([waiting, sent, dropped].filter((one) => one.has(messageId))).toHaveLength(1);
        }),
        { numRuns: runs },
      );
    });
  });
}

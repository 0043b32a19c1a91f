import { describe, expect, test } from 'vitest';
import type { OutboxRow, PartitionCursor } from '../../backend/store/port/outbox-store.ts';
import { ingestBatch, outgoingMessage, START_MS, type TestStore } from '../support/store/store-rows.ts';

/** The behaviour of a store for the messages that wait to be published. */
export function outboxContract(stage: TestStore): void {
  const write = (...messages: Parameters<typeof outgoingMessage>[]) =>
    stage.store.ingest.commit(ingestBatch({ messages: messages.map((one) => outgoingMessage(...one)) }));
  const next = (cursors: readonly PartitionCursor[], limit: number) =>
    stage.store.outbox.nextByPartition({ cursors, limit });
  const idsOf = (rows: readonly OutboxRow[]) => rows.map(({ messageId }) => messageId);

  describe('outbox', () => {
    test('messages are read in the order of their commits, after a position', async () => {
      await write(['M1'], ['M2', { vehicleId: 'VEH02' }]);
      await write(['M3']);
      const all = await stage.store.outbox.next({ afterPosition: 0, limit: 10 });
      expect(all.map(({ position: _, ...row }) => row)).toEqual([
        outgoingMessage('M1'),
        outgoingMessage('M2', { vehicleId: 'VEH02' }),
        outgoingMessage('M3'),
      ]);
      const afterPosition = all[0]?.position ?? -1;
      const rest = await stage.store.outbox.next({ afterPosition, limit: 1 });
      expect(idsOf(rest)).toEqual(['M2']);
    });

    test('a commit hands back its messages as they are read later', async () => {
      const { written } = await write(
        ['M1', { partition: 9 }],
        ['M2', { partition: 4 }],
        ['M3', { partition: 9 }],
      );
      expect(idsOf(written ?? [])).toEqual(['M1', 'M2', 'M3']);
      const all = await stage.store.outbox.next({ afterPosition: 0, limit: 10 });
      expect(new Set(all)).toEqual(new Set(written));
    });

    test('sent messages are removed from the outbox, a second mark is ignored, and no position is used twice', async () => {
      await write(['M1'], ['M2']);
      const rows = await stage.store.outbox.next({ afterPosition: 0, limit: 10 });
      const positions = rows.map((row) => row.position);
      expect(await stage.store.outbox.size()).toMatchObject({ messages: 2, oldestMs: START_MS });
      await stage.store.outbox.sent(positions);
      await stage.store.outbox.sent(positions);
      expect(await stage.store.outbox.size()).toEqual({ messages: 0, bytes: 0, oldestMs: undefined });
      await write(['M3']);
      const [last] = await stage.store.outbox.next({ afterPosition: 0, limit: 10 });
      expect(last?.position).toBeGreaterThan(Math.max(...positions));
    });

    test('the size counts messages and bytes of all partitions, and names the oldest', async () => {
      await write(
        ['M1', { partition: 63, body: 'ü', createdMs: START_MS - 5 }],
        ['M2', { partition: 0, body: '{}' }],
      );
      await write(['M3', { partition: 7, body: '{}' }]);
      expect(await stage.store.outbox.size()).toEqual({ messages: 3, bytes: 6, oldestMs: START_MS - 5 });
      const rows = await stage.store.outbox.next({ afterPosition: 0, limit: 10 });
      const sent = rows.filter(({ partition }) => partition === 63);
      await stage.store.outbox.sent(sent.map(({ position }) => position));
      expect(await stage.store.outbox.size()).toEqual({ messages: 2, bytes: 4, oldestMs: START_MS });
    });

    test('partitions are read each after its own position, and others not at all', async () => {
      await write(['M1', { partition: 5 }], ['M2', { partition: 8 }], ['M3', { partition: 5 }]);
      await write(['M4', { partition: 8 }], ['M5', { partition: 40 }], ['M6', { partition: 5 }]);
      const rows = await next(
        [
          { partition: 5, afterPosition: 0 },
          { partition: 8, afterPosition: 0 },
          { partition: 9, afterPosition: 0 },
        ],
        30,
      );
      const of = (partition: number) => rows.filter((row) => row.partition === partition);
      expect(idsOf(of(5))).toEqual(['M1', 'M3', 'M6']);
      expect(idsOf(of(8))).toEqual(['M2', 'M4']);
      expect(rows.length).toBe(5);
      const later = await next(
        [
          { partition: 5, afterPosition: of(5)[1]?.position ?? 0 },
          { partition: 8, afterPosition: of(8)[1]?.position ?? 0 },
        ],
        30,
      );
      expect(idsOf(later)).toEqual(['M6']);
      expect(await next([], 30)).toEqual([]);
    });

    test('a long partition takes no more than its share of a read', async () => {
      for (let index = 0; index < 9; index += 1) await write([`M${index}`, { partition: 1 }]);
      await write(['M9', { partition: 2 }]);
      const cursors = [1, 2].map((partition) => ({ partition, afterPosition: 0 }));
      expect(idsOf(await next(cursors, 6)).toSorted()).toEqual(['M0', 'M1', 'M2', 'M9']);
      expect(idsOf(await next(cursors, 1)).toSorted()).toEqual(['M0', 'M9']);
      expect(idsOf(await next(cursors.slice(0, 1), 6))).toEqual(['M0', 'M1', 'M2', 'M3', 'M4', 'M5']);
    });
  });
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OutboxCursors, type OutboxRead } from '../../../../backend/events/outbox-cursors.ts';
import { type OutboxRow, shareOf } from '../../../../backend/store/port/outbox-store.ts';

function row(partition: number, position: number): OutboxRow {
  return {
    position,
    messageId: `M${position}`,
    vehicleId: `VEH${partition}`,
    fleetId: 'FLEET1',
    partition,
    name: 'VehicleStateReceived',
    version: '2.0.0',
    flowId: '',
    createdMs: 1,
    body: '{}',
  };
}

/** What a store has in view: positions rise within each partition, and partitions know nothing of each other. */
class View {
  readonly rows: OutboxRow[] = [];
  readonly #last = new Map<number, number>();

  write(partition: number, count: number): readonly OutboxRow[] {
    const from = this.#last.get(partition) ?? partition * 1_000_000;
    this.#last.set(partition, from + count);
    const written = Array.from({ length: count }, (_, index) => row(partition, from + index + 1));
    this.rows.push(...written);
    return written;
  }

  read(query: OutboxRead): readonly OutboxRow[] {
    if (!('cursors' in query)) throw new Error('it reads by partition');
    const share = shareOf(query.limit, query.cursors.length);
    return query.cursors.flatMap(({ partition, afterPosition }) =>
      this.rows.filter((one) => one.partition === partition && one.position > afterPosition).slice(0, share),
    );
  }
}

describe('the cursors of the outbox', () => {
  test('of all in one order continue after the last row, and rest once a read was not full', () => {
    const cursors = new OutboxCursors(undefined);
    expect(cursors.beginRead(2)).toEqual({ afterPosition: 0, limit: 2 });
    cursors.haveRead([row(5, 1), row(60, 2)]);
    expect(cursors.mayHaveMore).toBe(true);
    expect(cursors.beginRead(2)).toEqual({ afterPosition: 2, limit: 2 });
    cursors.haveRead([row(9, 3)]);
    expect(cursors.mayHaveMore).toBe(false);
    expect(cursors.follow([row(1, 4), row(2, 5)])).toHaveLength(2);
    expect(cursors.follow([row(1, 7)])).toEqual([]);
    expect(cursors.beginRead(2)).toEqual({ afterPosition: 5, limit: 2 });
  });

  test('what a failed read was to find is read by the next one, though nothing new was written', () => {
    const partitions = fc.option(fc.uniqueArray(fc.nat({ max: 63 }), { minLength: 1 }), { nil: undefined });
    fc.assert(
      fc.property(partitions, fc.integer({ min: 1, max: 512 }), (read, limit) => {
        const cursors = new OutboxCursors(read);
        const first = cursors.beginRead(limit);
        expect(cursors.mayHaveMore).toBe(false);
        cursors.haveFailed();
        expect(cursors.mayHaveMore).toBe(true);
        expect(cursors.beginRead(limit)).toEqual(first);
      }),
    );
  });

  test('no read is due where no partition is read', () => {
    const cursors = new OutboxCursors([]);
    cursors.begin([]);
    cursors.wake();
    expect(cursors.mayHaveMore).toBe(false);
    cursors.begin([3]);
    expect(cursors.mayHaveMore).toBe(true);
  });

  test('a partition that is begun anew during a read is read from its first row, and that read counts for it no more', () => {
    const cursors = new OutboxCursors([3]);
    cursors.beginRead(10);
    cursors.haveRead([row(3, 31)]);
    cursors.wake();
    cursors.beginRead(10);
    cursors.end([3]);
    cursors.begin([3]);
    expect(cursors.haveRead([row(3, 32)])).toEqual([]);
    expect(cursors.beginRead(10)).toEqual({ cursors: [{ partition: 3, afterPosition: 0 }], limit: 10 });
  });

  test('what comes while its partition is read, or was not read to the end, is read again and not taken twice', () => {
    const cursors = new OutboxCursors([3, 4]);
    cursors.beginRead(10);
    expect(cursors.follow([row(3, 31)])).toEqual([]);
    cursors.haveRead([row(3, 31), row(4, 41)]);
    expect(cursors.beginRead(10)).toEqual({ cursors: [{ partition: 3, afterPosition: 31 }], limit: 10 });
    expect(cursors.follow([row(4, 42), row(3, 32), row(9, 91)])).toEqual([row(4, 42)]);
    cursors.haveFailed();
    expect(cursors.beginRead(10)).toEqual({ cursors: [{ partition: 3, afterPosition: 31 }], limit: 10 });
  });

  test('however writes of partitions, reads and hand-overs alternate, each row comes once and in the order of its partition', () => {
    const deed = fc.record({
      kind: fc.constantFrom('write', 'write quietly', 'begin', 'end', 'fail', 'wake'),
      partition: fc.integer({ min: 0, max: 3 }),
      count: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 60 }), (deeds) => {
        const view = new View();
        // Partition 3 is another backend's.
        const cursors = new OutboxCursors([0, 1, 2]);
        const taken: OutboxRow[] = [];
        let found: readonly OutboxRow[] | undefined;
        const begin = () => {
          if (found === undefined && cursors.mayHaveMore) found = view.read(cursors.beginRead(4));
        };
        const end = () => {
          if (found === undefined) return;
          cursors.haveRead(found);
          taken.push(...found);
          found = undefined;
        };
        for (const { kind, partition, count } of deeds) {
          if (kind === 'write') taken.push(...cursors.follow(view.write(partition, count)));
          else if (kind === 'write quietly') view.write(partition, count);
          else if (kind === 'begin') begin();
          else if (kind === 'end') end();
          else if (kind === 'wake') cursors.wake();
          else if (found !== undefined) {
            cursors.haveFailed();
            found = undefined;
          }
        }
        cursors.wake();
        end();
        while (cursors.mayHaveMore) {
          begin();
          end();
        }
        for (const partition of [0, 1, 2]) {
          const of = (rows: readonly OutboxRow[]) => rows.filter((one) => one.partition === partition);
          expect(of(taken)).toEqual(of(view.rows));
        }
        expect(taken.some((one) => one.partition === 3)).toBe(false);
      }),
    );
  });
});

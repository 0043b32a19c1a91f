import { describe, expect, test } from 'vitest';
import { limits as backend } from '../../../../backend/limits.ts';
import { limits as wire } from '../../../../protocol/limits.ts';
import { limits as simulator } from '../../../../simulator/limits.ts';
import { Drain, FAIR, type Run } from '../../../properties/firmware-drain.ts';
import { requestId } from '../../simulator/firmware/rig.ts';

/** Events, each between two reports. */
const isolated = (count: number): readonly Run[] =>
  Array.from({ length: count * 2 }, (_, index) => ({ sort: index % 2 === 0 ? 'report' : 'event', count: 1 }));

describe('the gaps that a box leaves and those that the backend keeps', () => {
  test('fit with as much room again for gaps that the box does not know of', () => {
    const most = Math.max(simulator.gapsByEvents, simulator.gapsByTombstones, simulator.gapsByReplies);
    expect(most * 2).toBeLessThanOrEqual(backend.journalRanges);
    // Overtaking that a single receipt could name in full would be less than the wire offers.
    expect(simulator.gapsByEvents).toBeGreaterThanOrEqual(wire.receiptRanges);
  });

  test.each([900, 3_000])('%i events, each between two reports, drain within a minute', (count) => {
    const drain = new Drain(10_000, 1);
    drain.record(isolated(count));
    expect(drain.state.flash.journal.shelf.counts.event).toBeGreaterThanOrEqual(count);
    expect(drain.secondsToDrain(60)).toBeDefined();
    expect(drain.counts.get('troubles.too-many-gaps') ?? 0).toBe(0);
    expect(drain.mostRanges).toBeGreaterThan(wire.receiptRanges);
    expect(drain.mostRanges).toBeLessThanOrEqual(simulator.gapsByReplies);
  });

  test('reports given up one by one between events come as tombstones far above them, and all drains', () => {
    const drain = new Drain(2_000, 1);
    drain.record(isolated(1_400));
    expect(drain.state.flash.journal.shelf.counts.tombstone).toBeGreaterThan(backend.journalRanges);
    expect(drain.secondsToDrain(60)).toBeDefined();
    expect(drain.counts.get('troubles.too-many-gaps') ?? 0).toBe(0);
    expect(drain.counts.get('records.lost')).toBeGreaterThan(backend.journalRanges);
  });

  test.each([400, 450, 500])('tombstones that stand among tombstones drain too: %i times over', (times) => {
    const pattern: readonly Run[] = [
      { sort: 'report', count: 1 },
      { sort: 'event', count: 1 },
      { sort: 'report', count: 2 },
      { sort: 'event', count: 2 },
    ];
    const drain = new Drain(1_170, 1);
    drain.record(Array.from({ length: times }, () => pattern).flat());
    expect(drain.state.flash.journal.shelf.counts).toMatchObject({ report: 0, event: 1_170 });
    expect(drain.secondsToDrain(60)).toBeDefined();
    expect(drain.counts.get('troubles.too-many-gaps') ?? 0).toBe(0);
  });

  test('a backend that is full of gaps from before takes what fills them, and all drains', () => {
    const drain = new Drain(10_000, 1);
    drain.record(isolated(900));
    const { epoch } = drain.state.flash.journal;
    // Every fifth sequence is stored, up to the bound: another firmware may have sent them so.
    const ranges = Array.from({ length: backend.journalRanges }, (_, index) => {
      const sequence = 5 + index * 5;
      return [sequence, sequence] as const;
    });
    const { box } = drain.vehicle;
    drain.vehicle = { ...drain.vehicle, box: { ...box, journal: { epoch, contiguous: 0, ranges } } };
    expect(drain.secondsToDrain(120)).toBeDefined();
    expect(drain.counts.get('troubles.too-many-gaps')).toBeGreaterThan(0);
  });

  test('the reply to a command goes at once while events wait because of the gaps that they would leave', () => {
    const drain = new Drain(10_000, 1);
    expect(drain.secondsToDrain(60)).toBeDefined();
    // No receipt comes down any more: the windows fill, and gaps stay.
    drain.weather = { ...FAIR, lostDown: 100 };
    for (let turn = 0; turn < 40; turn++) {
      drain.record(isolated(20));
      drain.pass(1);
    }
    drain.ask(1);
    drain.pass(1);
    expect([...drain.replies.keys()]).toEqual([requestId(1)]);
    const urgent = drain.state.ram.outbox.awaitingUrgent;
    expect(drain.state.flash.journal.shelf.counts.event).toBeGreaterThan(urgent);
    drain.weather = FAIR;
    expect(drain.secondsToDrain(700)).toBeDefined();
  });
});

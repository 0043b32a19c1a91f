import { describe, expect, test } from 'vitest';
import { limits as backend } from '../../../../backend/base/limits.ts';
import { wireLimits } from '../../../../protocol/limits.ts';
import { limits as simulator } from '../../../../simulator/limits.ts';
import { FirmwareAndIngest, NO_LOSS, type RecordRun } from '../../../support/firmware/firmware-and-ingest.ts';
import { requestId } from '../../../support/firmware/test-box.ts';

/** Events, each between two reports. */
const isolated = (count: number): readonly RecordRun[] =>
  Array.from({ length: count * 2 }, (_, index) => ({ sort: index % 2 === 0 ? 'report' : 'event', count: 1 }));

describe('the gaps in a journal and the limit of gaps in the backend', () => {
  test('leave as much capacity again for gaps unknown to the box', () => {
    const most = Math.max(simulator.gapsByEvents, simulator.gapsByTombstones, simulator.gapsByReplies);
    expect(most * 2).toBeLessThanOrEqual(backend.journalRanges);
    // Overtaking that a single receipt could name in full would be less than the wire offers.
    expect(simulator.gapsByEvents).toBeGreaterThanOrEqual(wireLimits.receiptRanges);
  });

  test.each([900, 3_000])('%i events, each between two reports, drain within a minute', (count) => {
    const drain = new FirmwareAndIngest(10_000, 1);
    drain.record(isolated(count));
    expect(drain.state.flash.journal.entryIndex.counts.event).toBeGreaterThanOrEqual(count);
    expect(drain.secondsToDrain(60)).toBeDefined();
    expect(drain.counts.get('troubles.too-many-gaps') ?? 0).toBe(0);
    expect(drain.mostRanges).toBeGreaterThan(wireLimits.receiptRanges);
    expect(drain.mostRanges).toBeLessThanOrEqual(simulator.gapsByReplies);
  });

  test('reports given up one by one between events are replaced by later tombstones, and the journal drains', () => {
    const drain = new FirmwareAndIngest(2_000, 1);
    drain.record(isolated(1_400));
    expect(drain.state.flash.journal.entryIndex.counts.tombstone).toBeGreaterThan(backend.journalRanges);
    expect(drain.secondsToDrain(60)).toBeDefined();
    expect(drain.counts.get('troubles.too-many-gaps') ?? 0).toBe(0);
    expect(drain.counts.get('records.lost')).toBeGreaterThan(backend.journalRanges);
  });

  test.each([400, 450, 500])('tombstones that stand among tombstones drain too: %i times over', (times) => {
    const pattern: readonly RecordRun[] = [
      { sort: 'report', count: 1 },
      { sort: 'event', count: 1 },
      { sort: 'report', count: 2 },
      { sort: 'event', count: 2 },
    ];
    const drain = new FirmwareAndIngest(1_170, 1);
    drain.record(Array.from({ length: times }, () => pattern).flat());
    const { report, event, tombstone } = drain.state.flash.journal.entryIndex.counts;
    expect(report).toBe(0);
    // Tombstones that have no room of their own take that of events.
    expect(event + Math.max(0, tombstone - simulator.journalTombstones)).toBe(1_170);
    expect(tombstone).toBeGreaterThan(backend.journalRanges);
    expect(drain.secondsToDrain(60)).toBeDefined();
    expect(drain.counts.get('troubles.too-many-gaps') ?? 0).toBe(0);
  });

  test('a backend at its limit of gaps accepts records that fill them, and the journal drains', () => {
    const drain = new FirmwareAndIngest(10_000, 1);
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

  test('the reply to a command is sent at once while events wait because they would create gaps', () => {
    const drain = new FirmwareAndIngest(10_000, 1);
    expect(drain.secondsToDrain(60)).toBeDefined();
    // No receipt comes down any more: the windows fill, and gaps stay.
    drain.weather = { ...NO_LOSS, lostDown: 100 };
    for (let turn = 0; turn < 40; turn++) {
      drain.record(isolated(20));
      // A box to which nothing comes for long gives the connection up.
      if (turn % 5 === 0) drain.ask(100 + turn);
      drain.pass(1);
    }
    drain.ask(1);
    drain.pass(1);
    expect([...drain.replies.keys()]).toContain(requestId(1));
    const urgent = drain.state.ram.outbox.awaitingUrgent;
    expect(drain.state.flash.journal.entryIndex.counts.event).toBeGreaterThan(urgent);
    drain.weather = NO_LOSS;
    expect(drain.secondsToDrain(700)).toBeDefined();
  });
});

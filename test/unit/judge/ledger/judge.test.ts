import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fate, Hop, LedgerFinding } from '../../../../judge/ledger/finding.ts';
import type { LedgerReport } from '../../../../judge/ledger/ledger-account.ts';
import {
  anyRightLedgerInput,
  arrival,
  LATE_MS,
  type LedgerInput,
  ledgerReportOf,
  NOW_MS,
} from '../../../support/ledger/any-ledger-input.ts';

/** What is in every history: it harms nobody. */
const HARMLESS: readonly Fate[] = ['pending', 'dropped'];

/** All that was found beside the harmless, one by one. */
function found(report: LedgerReport): readonly LedgerFinding[] {
  return report.cases
    .filter(({ fate }) => !HARMLESS.includes(fate))
    .flatMap(({ count, examples }) => {
      expect(examples.reduce((sum, one) => sum + one.count, 0)).toBe(count);
      return examples;
    });
}

/** Changes one stored and told record of a right history, and expects exactly one finding. */
function oneFinding(
  change: (
    history: LedgerInput,
    one: { readonly box: LedgerInput['boxes'][number]; readonly index: number; readonly messageId: string },
  ) => { readonly fate: Fate; readonly hop: Hop; readonly messageId?: string } | undefined,
): void {
  fc.assert(
    fc.property(anyRightLedgerInput, fc.nat(), (history, pick) => {
      const told = history.boxes.flatMap((box) =>
        box.rows.flatMap(({ messageId }, index) =>
          messageId === undefined ? [] : [{ box, index, messageId }],
        ),
      );
      const one = told[pick % Math.max(1, told.length)];
      fc.pre(one !== undefined);
      const { sequence } = one.box.rows[one.index] ?? { sequence: 0 };
      const before = ledgerReportOf(history).counts;
      const expected = change(history, one);
      fc.pre(expected !== undefined);
      const report = ledgerReportOf(history);
      const [finding, ...more] = found(report);
      expect(more).toEqual([]);
      expect(finding).toMatchObject({ vehicleId: one.box.vehicleId, ...expected });
      if (finding?.sequence !== undefined) expect(finding.sequence).toBe(sequence);
      for (const fate of HARMLESS) expect(report.counts[fate]).toBe(before[fate]);
      expect(report.vehicles.find((of) => of.vehicleId === one.box.vehicleId)?.counts[expected.fate]).toBe(1);
    }),
    { numRuns: 200 },
  );
}

describe('the judge of the ledger', () => {
  test('finds nothing if nothing is wrong, and locates every record', () => {
    fc.assert(
      fc.property(anyRightLedgerInput, (history) => {
        const report = ledgerReportOf(history);
        expect(found(report)).toEqual([]);
        expect(report.isRight).toBe(true);
        const given = history.boxes.reduce((sum, box) => sum + box.next - 1, 0);
        expect(report.records + report.counts.pending + report.counts.dropped).toBe(given);
      }),
    );
  });

  test('a message that never arrived is lost at the queue', () => {
    oneFinding((history, { messageId }) => {
      history.arrivals = history.arrivals.filter((one) => one.messageId !== messageId);
      return { fate: 'lost', hop: 'queue', messageId };
    });
  });

  test('a record that was settled and is not stored is lost at the state', () => {
    oneFinding((history, { box, index, messageId }) => {
      box.rows.splice(index, 1);
      history.arrivals = history.arrivals.filter((one) => one.messageId !== messageId);
      return { fate: 'lost', hop: 'state' };
    });
  });

  test('it is also lost while its page is still in flash: the box has released it and does not send it again', () => {
    oneFinding((history, { box, index, messageId }) => {
      const [row] = box.rows.splice(index, 1);
      history.arrivals = history.arrivals.filter((one) => one.messageId !== messageId);
      if (row !== undefined) box.held.push({ sequence: row.sequence, clockMs: NOW_MS - 1_000 });
      return { fate: 'lost', hop: 'state' };
    });
  });

  test('a record that left the journal without receipt or tombstone is lost at the box', () => {
    oneFinding((history, { box, index, messageId }) => {
      const [row] = box.rows.splice(index, 1);
      box.settled = box.settled.filter((sequence) => sequence !== row?.sequence);
      history.arrivals = history.arrivals.filter((one) => one.messageId !== messageId);
      return { fate: 'lost', hop: 'box' };
    });
  });

  test('the same message received again is repeated, and nothing is wrong', () => {
    oneFinding((history, { messageId }) => {
      const same = history.arrivals.find((one) => one.messageId === messageId);
      if (same !== undefined) history.arrivals.push({ ...same, arrivedMs: NOW_MS });
      return { fate: 'repeated', hop: 'queue', messageId };
    });
  });

  test('a record published with a second id is doubled', () => {
    oneFinding((history, { box, messageId }) => {
      const same = history.arrivals.find((one) => one.messageId === messageId);
      // Later than all others, so that only its being there is wrong.
      history.arrivals.push({ ...arrival(box.vehicleId, '01JZ', NOW_MS, 0), dataHash: same?.dataHash ?? 0 });
      return { fate: 'doubled', hop: 'state', messageId: '01JZ' };
    });
  });

  test('a message that belongs to no record is unknown', () => {
    oneFinding((history, { box }) => {
      history.arrivals.push(arrival(box.vehicleId, '01JZ', NOW_MS, -1));
      return { fate: 'unknown', hop: 'state', messageId: '01JZ' };
    });
  });

  test('of two messages in the wrong order the later one is reordered', () => {
    oneFinding((history, { box, messageId }) => {
      const lane = history.arrivals.filter((one) => one.vehicleId === box.vehicleId);
      const place = lane.findIndex((one) => one.messageId === messageId);
      const [first, second] = [lane[place], lane[place + 1]];
      if (first === undefined || second === undefined) return undefined;
      history.arrivals = history.arrivals.map((one) =>
        one === first ? second : one === second ? first : one,
      );
      return { fate: 'reordered', hop: 'queue', messageId };
    });
  });

  test('a message that took too long after the store is late at the queue', () => {
    oneFinding((history, { messageId }) => {
      history.arrivals = history.arrivals.map((one) =>
        one.messageId === messageId ? { ...one, arrivedMs: (one.receivedMs ?? 0) + LATE_MS + 1 } : one,
      );
      return { fate: 'late', hop: 'queue', messageId };
    });
  });

  test('a record that took too long to the store is late at the box', () => {
    oneFinding((_history, { box, index, messageId }) => {
      const row = box.rows[index];
      if (row !== undefined) box.rows[index] = { ...row, clockMs: row.receivedMs - LATE_MS - 1 };
      return { fate: 'late', hop: 'box', messageId };
    });
  });

  test('a message that stays in the outbox is late there', () => {
    oneFinding((history, { messageId }) => {
      history.arrivals = history.arrivals.filter((one) => one.messageId !== messageId);
      history.waiting.set(messageId, NOW_MS - LATE_MS);
      return { fate: 'late', hop: 'outbox', messageId };
    });
  });

  test('a message dropped by a full outbox is overflowed, not lost', () => {
    oneFinding((history, { messageId }) => {
      history.arrivals = history.arrivals.filter((one) => one.messageId !== messageId);
      history.dropped.set(messageId, 'age');
      return { fate: 'overflowed', hop: 'outbox', messageId };
    });
  });

  test('a record that a connected box holds for too long is late at the broker', () => {
    oneFinding((history, { box, index, messageId }) => {
      const [row] = box.rows.splice(index, 1);
      box.settled = box.settled.filter((sequence) => sequence !== row?.sequence);
      history.arrivals = history.arrivals.filter((one) => one.messageId !== messageId);
      if (row !== undefined) box.held.push({ sequence: row.sequence, clockMs: NOW_MS - LATE_MS - 1 });
      box.held.sort((a, b) => a.sequence - b.sequence);
      return { fate: 'late', hop: 'broker' };
    });
  });
});

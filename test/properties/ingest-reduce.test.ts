import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Frame } from '../../protocol/message.ts';
import { topics } from '../../protocol/topics.ts';
import {
  BOX_ID,
  boxVehicle,
  EPOCH,
  frame,
  payloadOf,
  reduceOf,
  report,
  vehicleAfter,
} from '../support/backend/ingest-input.ts';

const COUNT = 25;

/** A journal of reports and heartbeats, delivered in any order, some of it several times. */
const delivery = fc
  .array(fc.boolean(), { minLength: 1, maxLength: COUNT })
  .chain((isReport) => {
    const journal = isReport.map(
      (yes, index): Frame =>
        yes ? report(index + 1, index % 32) : frame({ kind: 'heartbeat' }, { sequence: index + 1 }),
    );
    const order = fc.shuffledSubarray(journal, { minLength: journal.length });
    const again = fc.array(fc.constantFrom(...journal), { maxLength: 10 });
    return fc.tuple(fc.constant(journal), order, again);
  })
  .chain(([journal, order, again]) => {
    const all = [...order, ...again];
    // Payloads of one or several frames, batches of one or several payloads.
    const cuts = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: all.length, maxLength: all.length });
    return fc.tuple(fc.constant(journal), fc.constant(all), cuts, cuts);
  });

function cut<T>(items: readonly T[], lengths: readonly number[]): T[][] {
  const groups: T[][] = [];
  let from = 0;
  for (const length of lengths) {
    if (from >= items.length) break;
    groups.push(items.slice(from, from + length));
    from += length;
  }
  return groups;
}

describe('any delivery of a journal', () => {
  test('stores each record once, and ends with the newest state and a receipt for everything', () => {
    fc.assert(
      fc.property(delivery, ([journal, all, framesPerPayload, payloadsPerBatch]) => {
        const payloads = cut(all, framesPerPayload).map((frames) => payloadOf(frames));
        let twin = boxVehicle();
        const stored: number[] = [];
        for (const batch of cut(payloads, payloadsPerBatch)) {
          const batchResult = reduceOf(batch, { vehicle: twin });
          stored.push(...batchResult.records.map(({ record }) => record.sequence));
          expect(batchResult.troubles).toEqual([]);
          // What is stored of a box stands in its journal: a commit looks for changes of boxes alone.
          if (batchResult.records.length > 0)
            expect(batchResult.boxes.map(({ boxId }) => boxId)).toEqual([BOX_ID]);
          twin = vehicleAfter(batchResult, twin);
          expect(batchResult.framesDown.map(({ message }) => message)).toEqual([
            { kind: 'receipt', contiguous: twin.box.journal.contiguous, ranges: twin.box.journal.ranges },
          ]);
        }
        expect(stored.sort((a, b) => a - b)).toEqual(journal.map(({ sequence }) => sequence));
        expect(twin.box.journal).toEqual({ epoch: EPOCH, contiguous: journal.length, ranges: [] });
        const newest = journal.findLast(({ message }) => message.kind === 'report');
        expect(twin.state['signal']?.sequence).toBe(newest?.sequence);
      }),
      { numRuns: 60 },
    );
  });
});

describe('any bytes', () => {
  test('never make ingest fail, and never cause the loss of a valid frame in another payload', () => {
    const topic = fc.oneof(
      fc.constantFrom(topics.up(BOX_ID), topics.presence(BOX_ID), topics.down(BOX_ID), ''),
      fc.string(),
    );
    const junk = fc.record({ bytes: fc.uint8Array({ maxLength: 200 }), topic });
    fc.assert(
      fc.property(fc.array(junk, { maxLength: 5 }), (payloads) => {
        const batchResult = reduceOf([
          ...payloads.map((payload) => payloadOf([], payload)),
          payloadOf([report(1)]),
        ]);
        expect(batchResult.records.at(-1)?.record.sequence).toBe(1);
      }),
      { numRuns: 100 },
    );
  });
});

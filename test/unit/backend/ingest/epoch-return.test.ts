import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../../backend/base/limits.ts';
import type { BatchResult } from '../../../../backend/ingest/batch-result.ts';
import type { BoxVehicle } from '../../../../backend/store/port/stored-vehicle.ts';
import type { Frame } from '../../../../protocol/message.ts';
import {
  BOX_ID,
  boxVehicle,
  EPOCH,
  frame,
  type InboundPayload,
  payloadOf,
  reduceOf,
  report,
  START_MS,
  vehicleAfter,
} from '../../../support/backend/ingest-input.ts';

const FORGED = 666;
const MINUTE_MS = 60_000;

/** Feeds one payload after the other to a box that has stored 90 records of its epoch, and two beyond a gap. */
function stage(journal: Partial<BoxVehicle['box']['journal']> = {}) {
  let vehicle = boxVehicle(
    { state: { signal: { timestampMs: START_MS, value: 1, epoch: EPOCH, sequence: 90 } } },
    {
      journal: { epoch: EPOCH, contiguous: 90, ranges: [[95, 96]], setUpAt: 3, ...journal },
      connection: { counter: 50, open: true },
    },
  );
  const feed = (
    frames: readonly Frame[],
    atMs: number,
    change: Partial<InboundPayload> = {},
  ): BatchResult => {
    const result = reduceOf([payloadOf(frames, { receivedMs: START_MS + atMs, ...change })], { vehicle });
    vehicle = vehicleAfter(result, vehicle);
    return result;
  };
  return { feed, now: () => vehicle };
}

function hello(epoch: number, connection: number, lowestHeld = 91): Frame {
  const versions = { firmware: [2, 24], hardwareRevision: 3 } as const;
  const journal = { lowestHeld, nextSequence: 97, configurationRevision: 0 };
  return frame({ kind: 'hello', connection, resetReason: 'BROWN_OUT', ...versions, ...journal }, { epoch });
}

const forged = (sequence = 1) => report(sequence, 99, { epoch: FORGED });

describe('a box in whose name somebody has sent a frame of an unknown epoch', () => {
  test('is served again once it has greeted for ten minutes, without a loss and without a duplicate', () => {
    const { feed, now } = stage();
    feed([forged()], 0);
    expect(now().state['signal']?.value).toBe(99);
    expect(feed([report(91, 2)], 1_000).quarantine).toMatchObject([{ fault: 'old-epoch' }]);

    for (let minute = 0; minute < 10; minute += 1) {
      const refused = feed([hello(EPOCH, 51 + minute)], minute * MINUTE_MS);
      expect(refused.framesDown).toEqual([]);
      expect(refused.quarantine).toMatchObject([{ fault: 'old-epoch' }]);
    }
    const back = feed([hello(EPOCH, 61)], limits.epochReturnMs);
    expect(back.quarantine).toEqual([]);
    expect(back.troubles).toEqual([
      { kind: 'epoch-return', boxId: BOX_ID, detail: `epoch ${EPOCH} again, after ${FORGED}` },
    ]);
    // What it is configured to is not known: nothing counts as in force.
    expect(back.flashWipes).toEqual([{ boxId: BOX_ID, epoch: EPOCH }]);
    expect(back.framesDown).toEqual([
      {
        boxId: BOX_ID,
        generation: 2,
        epoch: EPOCH,
        message: { kind: 'receipt', contiguous: 90, ranges: [[95, 96]] },
      },
    ]);
    expect(now().box.connection).toEqual({ counter: 61, open: true });

    const records = feed([report(91, 2), report(95, 4), report(96, 5)], limits.epochReturnMs + 1_000);
    expect(records.records.map(({ record }) => record.sequence)).toEqual([91]);
    expect(records.counts.get('records.duplicate')).toBe(2);
    expect(now().state['signal']).toMatchObject({ epoch: EPOCH, sequence: 91, value: 2 });
    expect(now().box.journal.past).toEqual([FORGED]);
  });

  test('reports nothing of its former vehicle in the next one after its return, even where its clock was unknown', () => {
    fc.assert(
      fc.property(fc.integer({ min: 96, max: 200 }), fc.integer({ min: 1, max: 3 }), (setUpAt, count) => {
        const { feed, now } = stage({ setUpAt });
        for (let index = 0; index < count; index += 1)
          feed([report(1, 99, { epoch: FORGED + index })], index);
        feed([hello(EPOCH, 51)], MINUTE_MS);
        feed([hello(EPOCH, 51)], MINUTE_MS + limits.epochReturnMs);
        expect(now().box.journal).toMatchObject({ epoch: EPOCH, setUpAt });
        const former = [91, 94, setUpAt].map((sequence) => report(sequence, 2, { clockMs: 0 }));
        const records = feed(
          [...former, report(setUpAt + 1, 3, { clockMs: 0 })],
          MINUTE_MS + limits.epochReturnMs + 1,
        );
        const shown = records.records.filter(({ draft }) => draft !== undefined);
        expect(shown.map(({ record }) => record.sequence)).toEqual([setUpAt + 1]);
        expect(now().state['signal']?.value).toBe(3);
      }),
    );
  });

  test('is not served while frames of the forged epoch go on, and ten minutes after the last of them', () => {
    const { feed } = stage();
    feed([forged()], 0);
    const last = 45;
    for (let minute = 1; minute <= last; minute += 1) {
      if (minute % 9 === 0) feed([forged(minute)], minute * MINUTE_MS - 1);
      expect(feed([hello(EPOCH, 51)], minute * MINUTE_MS).framesDown).toEqual([]);
    }
    expect(feed([hello(EPOCH, 51)], last * MINUTE_MS + limits.epochReturnMs - 1).framesDown).toEqual([]);
    expect(feed([hello(EPOCH, 51)], last * MINUTE_MS + limits.epochReturnMs).framesDown).toHaveLength(1);
  });

  test('is served after many forged epochs too, of which it may have been forgotten', () => {
    for (const count of [2, limits.pastEpochs, limits.pastEpochs + 3]) {
      const { feed, now } = stage();
      for (let index = 0; index < count; index += 1) feed([report(1, 99, { epoch: FORGED + index })], index);
      feed([hello(EPOCH, 51)], MINUTE_MS);
      feed([hello(EPOCH, 51)], MINUTE_MS + limits.epochReturnMs);
      expect(now().box.journal.epoch).toBe(EPOCH);
      expect(now().box.journal.past).toHaveLength(Math.min(count, limits.pastEpochs));
      expect(now().box.journal.left).toHaveLength(Math.min(count, limits.pastEpochs));
    }
  });

  test('is served too where it was locked out under a version that kept no positions', () => {
    const { feed, now } = stage({ epoch: FORGED, contiguous: 1, ranges: [], past: [EPOCH] });
    feed([hello(EPOCH, 51)], 0);
    const back = feed([hello(EPOCH, 51)], limits.epochReturnMs);
    expect(back.troubles.map(({ kind }) => kind)).toEqual(['epoch-return']);
    expect(now().box.journal).toMatchObject({ epoch: EPOCH, contiguous: 90, past: [FORGED] });
    expect(feed([report(91, 2)], limits.epochReturnMs + 1).records).toHaveLength(1);
  });

  test('is not brought back by what a broker retains or sends for it, nor by other frames than greetings', () => {
    const { feed, now } = stage();
    feed([forged()], 0);
    for (const atMs of [MINUTE_MS, MINUTE_MS + limits.epochReturnMs]) {
      feed([hello(EPOCH, 51)], atMs, { retained: true });
      feed([frame({ kind: 'birth', connection: 51 })], atMs);
      feed([frame({ kind: 'gone', connection: 51 })], atMs);
      feed([report(91, 2)], atMs);
    }
    expect(now().box.journal.epoch).toBe(FORGED);
    // Nor does a will of the forged connection keep it away.
    feed([hello(EPOCH, 52)], 30 * MINUTE_MS);
    feed([frame({ kind: 'gone', connection: 1 }, { epoch: FORGED })], 31 * MINUTE_MS);
    feed([hello(EPOCH, 52)], 40 * MINUTE_MS);
    expect(now().box.journal.epoch).toBe(EPOCH);
  });
});

describe('a box with a wiped flash', () => {
  const lateFrame = fc.record({
    connection: fc.nat(60),
    atMs: fc.nat(limits.epochReturnMs - 1),
  });

  test('keeps its new epoch, whatever greetings of the old one come late', () => {
    fc.assert(
      fc.property(fc.array(lateFrame, { maxLength: 20 }), fc.boolean(), (late, sends) => {
        const { feed, now } = stage();
        feed([hello(8, 1, 1), report(1, 3, { epoch: 8 })], 0);
        let sequence = 1;
        for (const { connection, atMs } of late.toSorted((one, other) => one.atMs - other.atMs)) {
          feed([hello(EPOCH, connection)], atMs);
          sequence += 1;
          if (sends) feed([report(sequence, sequence, { epoch: 8 })], atMs);
        }
        expect(now().box.journal).toMatchObject({ epoch: 8, contiguous: sends ? sequence : 1 });
      }),
    );
  });

  test('comes back by itself where a very late greeting of the old epoch was believed', () => {
    const { feed, now } = stage();
    feed([hello(8, 1, 1), report(1, 3, { epoch: 8 })], 0);
    feed([hello(EPOCH, 50)], MINUTE_MS);
    feed([hello(EPOCH, 50)], MINUTE_MS + limits.epochReturnMs);
    expect(now().box.journal.epoch).toBe(EPOCH);
    feed([hello(8, 2, 1)], 30 * MINUTE_MS);
    feed([hello(8, 3, 1)], 40 * MINUTE_MS);
    expect(now().box.journal).toMatchObject({ epoch: 8, contiguous: 1 });
  });
});

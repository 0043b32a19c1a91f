import { describe, expect, test } from 'vitest';
import { limits } from '../../../../backend/base/limits.ts';
import type { OpenCommand } from '../../../../backend/store/port/command-store.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { encodeFrame } from '../../../../protocol/codec/frame.ts';
import type { Hello, Tombstone } from '../../../../protocol/message.ts';
import { topics } from '../../../../protocol/topics.ts';
import {
  BOX_ID,
  boxVehicle,
  EPOCH,
  frame,
  payloadOf,
  reduceOf,
  report,
  START_MS,
  vehicleAfter,
} from '../../../support/backend/ingest-input.ts';

const REQUEST = '01KE60EXAMP1E0000000000001';
const command: OpenCommand = {
  requestId: REQUEST,
  vehicleId: 'VEH01',
  boxId: BOX_ID,
  flowId: '6a0f5a8e-0000-4000-8000-000000000002',
  command: 'request-vehicle-state',
  openedMs: START_MS,
  expiresMs: START_MS + 20_000,
};

function hello(change: Partial<Hello> = {}): Hello {
  return {
    kind: 'hello',
    connection: 4,
    firmware: [2, 24],
    hardwareRevision: 3,
    resetReason: 'BROWN_OUT',
    lowestHeld: 1,
    nextSequence: 1,
    configurationRevision: 0,
    ...change,
  };
}

function tombstone(first: number, last: number, reports = last - first + 1): Tombstone {
  return { kind: 'tombstone', reason: 'overwritten', first, last, reports, events: 0, replies: 0 };
}

describe('records', () => {
  test('a report is stored, changes the state, leads to a message and is receipted', () => {
    const batchResult = reduceOf([payloadOf([report(1, 17)])]);
    expect(batchResult.records).toEqual([
      {
        record: {
          boxId: BOX_ID,
          epoch: EPOCH,
          sequence: 1,
          kind: 'report',
          clockMs: START_MS,
          receivedMs: START_MS + 500,
          lost: 0,
        },
        draft: {
          vehicleId: 'VEH01',
          fleetId: 'FLEET1',
          receivedMs: START_MS + 500,
          properties: {
            signal: { timestampMs: START_MS, value: 17, epoch: EPOCH, sequence: 1 },
            model: { timestampMs: START_MS, value: 'petrol-compact', epoch: EPOCH, sequence: 1 },
          },
          command: undefined,
        },
      },
    ]);
    expect(batchResult.boxes).toEqual([
      {
        boxId: BOX_ID,
        version: 3,
        lastContactMs: START_MS + 500,
        journal: { epoch: EPOCH, contiguous: 1, ranges: [] },
        life: { value: 'STANDBY', sinceMs: START_MS + 500 },
        stateText: `[[${START_MS},${EPOCH},1,{"signal":17,"model":"petrol-compact"}]]`,
      },
    ]);
    expect(batchResult.framesDown).toEqual([
      { boxId: BOX_ID, generation: 2, epoch: EPOCH, message: { kind: 'receipt', contiguous: 1, ranges: [] } },
    ]);
  });

  test('many payloads of one box give one change and one receipt', () => {
    const batchResult = reduceOf([payloadOf([report(1), report(2)]), payloadOf([report(4)])]);
    expect(batchResult.records.map(({ record }) => record.sequence)).toEqual([1, 2, 4]);
    expect(batchResult.boxes.length).toBe(1);
    expect(batchResult.framesDown.map((down) => down.message)).toEqual([
      { kind: 'receipt', contiguous: 2, ranges: [[4, 4]] },
    ]);
  });

  test('a repeated record is not stored again, leads to no message, and gets its receipt again', () => {
    const before = boxVehicle({}, { journal: { epoch: EPOCH, contiguous: 3, ranges: [[6, 7]] } });
    const batchResult = reduceOf([payloadOf([report(2), report(7), report(7)])], { vehicle: before });
    expect(batchResult.records).toEqual([]);
    expect(batchResult.boxes[0]).not.toHaveProperty('stateText');
    expect(batchResult.framesDown[0]?.message).toEqual({ kind: 'receipt', contiguous: 3, ranges: [[6, 7]] });
    expect(batchResult.counts.get('records.duplicate')).toBe(3);
  });

  test('a late record is stored and leads to its message, but does not replace values of a later one', () => {
    const before = vehicleAfter(reduceOf([payloadOf([report(5, 30)])]), boxVehicle());
    const batchResult = reduceOf([payloadOf([report(2, 10)])], { vehicle: before });
    expect(batchResult.records[0]?.draft?.properties['signal']).toEqual({
      timestampMs: START_MS,
      value: 10,
      epoch: EPOCH,
      sequence: 2,
    });
    expect(vehicleAfter(batchResult, before).state['signal']).toMatchObject({ value: 30, sequence: 5 });
  });

  test.each([
    ['the box does not know the time', 0, START_MS + 500],
    ['the clock is ahead of us', START_MS + 9_000, START_MS + 500],
    ['the clock is right', START_MS - 60_000, START_MS - 60_000],
  ])('where %s the timestamp is not after the receipt', (_, clockMs, expected) => {
    const batchResult = reduceOf([payloadOf([report(1, 5, { clockMs })])]);
    expect(batchResult.records[0]?.draft?.properties['signal']?.timestampMs).toBe(expected);
  });

  test('a heartbeat leads to a message without properties, a tombstone to none', () => {
    const batchResult = reduceOf([
      payloadOf([frame({ kind: 'heartbeat' }, { sequence: 3 }), frame(tombstone(1, 2), { sequence: 4 })]),
    ]);
    expect(batchResult.records).toMatchObject([{ draft: { properties: {} } }, { draft: undefined }]);
    expect(batchResult.records.map(({ record }) => record.lost)).toEqual([0, 2]);
    expect(batchResult.boxes[0]?.journal).toEqual({ epoch: EPOCH, contiguous: 4, ranges: [] });
    expect(batchResult.counts.get('records.lost')).toBe(2);
  });

  test.each(['PENDING', 'RUNNING', 'FAILED'] as const)(
    'a vehicle whose setup is %s leads to no message',
    (setupStatus) => {
      const batchResult = reduceOf([payloadOf([report(1), frame({ kind: 'heartbeat' }, { sequence: 2 })])], {
        vehicle: boxVehicle({ setupStatus }),
      });
      expect(batchResult.records.map(({ draft }) => draft)).toEqual([undefined, undefined]);
      expect(batchResult.records.length).toBe(2);
    },
  );

  test('records over the limit of gaps are not receipted, so that they are sent again', () => {
    const ranges = Array.from(
      { length: limits.journalRanges },
      (_, index) => [3 + index * 2, 3 + index * 2] as const,
    );
    const before = boxVehicle({}, { journal: { epoch: EPOCH, contiguous: 1, ranges } });
    const batchResult = reduceOf([payloadOf([report(100_000), report(2)])], { vehicle: before });
    expect(batchResult.records.map(({ record }) => record.sequence)).toEqual([2]);
    expect(batchResult.troubles.map(({ kind }) => kind)).toEqual(['too-many-gaps']);
  });
});

describe('replies', () => {
  const reply = { kind: 'reply', requestId: REQUEST, outcome: 'done', error: '' } as const;
  const signals = { modem: { csq: 9, network: 0 } };
  const commands = new Map([[REQUEST, command]]);

  test('one with signals settles its command with the state, and its message names the command', () => {
    const batchResult = reduceOf([payloadOf([frame({ ...reply, signals }, { sequence: 1 })])], { commands });
    expect(batchResult.replies).toMatchObject([
      {
        reply: { requestId: REQUEST, outcome: 'done' },
        boxId: BOX_ID,
        atMs: START_MS + 500,
        state: { signal: { timestampMs: START_MS, value: 9 } },
      },
    ]);
    expect(batchResult.records[0]?.draft?.command).toEqual(command);
  });

  test('one without signals settles its command and leads to no message', () => {
    const batchResult = reduceOf([payloadOf([frame(reply, { sequence: 1 })])], { commands });
    expect(batchResult.replies.length).toBe(1);
    expect(batchResult.replies[0]).not.toHaveProperty('state');
    expect(batchResult.records[0]?.draft).toBeUndefined();
  });

  test('a repeated one settles nothing again', () => {
    const again = payloadOf([frame(reply, { sequence: 1 })]);
    expect(reduceOf([again, again], { commands }).replies.length).toBe(1);
  });

  test("a request of another box's command is not named as the trigger", () => {
    const foreign = { commands: new Map([[REQUEST, { ...command, boxId: '00000000000000b2' }]]) };
    const batchResult = reduceOf([payloadOf([frame({ ...reply, signals }, { sequence: 1 })])], foreign);
    expect(batchResult.records[0]?.draft?.command).toBeUndefined();
  });
});

describe('hello', () => {
  test('is followed by a ready, which is acknowledged by a receipt', () => {
    const batchResult = reduceOf([payloadOf([frame({ kind: 'ready' }, { sequence: 0 })])]);
    expect(batchResult.framesDown.map(({ message }) => message.kind)).toEqual(['receipt']);
  });

  test('contains firmware, hardware and generation, and is answered with a receipt', () => {
    const batchResult = reduceOf([payloadOf([frame(hello(), { generation: 1 })])]);
    expect(batchResult.boxes[0]).toMatchObject({
      generation: 1,
      firmware: [2, 24],
      hardwareRevision: 3,
      connection: { counter: 4, open: true },
      notReadyUntilMs: START_MS + 500 + LIMITS.vehicle.notReadyMs,
    });
    expect(batchResult.framesDown).toEqual([
      { boxId: BOX_ID, generation: 1, epoch: EPOCH, message: { kind: 'receipt', contiguous: 0, ranges: [] } },
    ]);
  });

  test('a gap below what the box still holds waits for its tombstone, and is then explained', () => {
    const before = boxVehicle({}, { journal: { epoch: EPOCH, contiguous: 3, ranges: [] } });
    const claim = hello({ lowestHeld: 8, nextSequence: 10 });
    const batchResult = reduceOf(
      [
        payloadOf([frame(claim)]),
        payloadOf([report(8)]),
        payloadOf([frame(tombstone(4, 7), { sequence: 9 })]),
      ],
      {
        vehicle: before,
      },
    );
    expect(batchResult.boxes[0]?.journal).toEqual({ epoch: EPOCH, contiguous: 9, ranges: [] });
    expect(batchResult.troubles).toEqual([]);
    expect(batchResult.counts.get('records.unexplained')).toBeUndefined();
  });

  test('without one it is counted as unexplained once all held records have arrived, and skipped', () => {
    const before = boxVehicle({}, { journal: { epoch: EPOCH, contiguous: 3, ranges: [] } });
    const claim = hello({ lowestHeld: 8, nextSequence: 10 });
    const first = reduceOf([payloadOf([frame(claim)]), payloadOf([report(8)])], { vehicle: before });
    expect(first.counts.get('records.unexplained')).toBeUndefined();
    const second = reduceOf([payloadOf([report(9)])], { vehicle: vehicleAfter(first, before) });
    expect(second.counts.get('records.unexplained')).toBe(4);
    expect(second.troubles).toMatchObject([{ kind: 'unexplained-gap', boxId: BOX_ID }]);
    expect(second.boxes[0]?.journal).toEqual({ epoch: EPOCH, contiguous: 9, ranges: [] });
  });

  test('a box that has forgotten sequences it had sent is logged', () => {
    const before = boxVehicle({}, { journal: { epoch: EPOCH, contiguous: 9, ranges: [] } });
    const batchResult = reduceOf([payloadOf([frame(hello({ lowestHeld: 8, nextSequence: 8 }))])], {
      vehicle: before,
    });
    expect(batchResult.troubles).toMatchObject([{ kind: 'sequence-regression' }]);
  });
});

describe('epochs', () => {
  const before = boxVehicle(
    { state: { signal: { timestampMs: START_MS, value: 1, epoch: EPOCH, sequence: 90 } } },
    { journal: { epoch: EPOCH, contiguous: 90, ranges: [] }, connection: { counter: 50, open: true } },
  );

  test.each([8, 6])(
    'one that was never seen (%i) begins journal and connections anew, and its reports win',
    (epoch) => {
      const batchResult = reduceOf(
        [
          payloadOf([frame({ kind: 'birth', connection: 1 }, { epoch })]),
          payloadOf([report(1, 22, { epoch })]),
        ],
        { vehicle: before },
      );
      const after = vehicleAfter(batchResult, before);
      const left = [{ epoch: EPOCH, contiguous: 90, ranges: [] }];
      const journal = { epoch, contiguous: 1, ranges: [], past: [EPOCH], setUpAt: 0, left };
      expect(after.box.journal).toEqual(journal);
      expect(after.box.connection).toEqual({ counter: 1, open: true });
      expect(after.state['signal']).toMatchObject({ value: 22, epoch, sequence: 1 });
      expect(batchResult.troubles).toMatchObject([{ kind: 'new-epoch' }]);
    },
  );

  test('the first one of a box is not logged', () => {
    const fresh = boxVehicle({}, { journal: { epoch: 0, contiguous: 0, ranges: [] } });
    expect(reduceOf([payloadOf([report(1)])], { vehicle: fresh }).troubles).toEqual([]);
  });

  test('a frame of a past one is kept in quarantine and changes nothing else', () => {
    const wiped = vehicleAfter(
      reduceOf([payloadOf([report(1, 22, { epoch: 8 })])], { vehicle: before }),
      before,
    );
    const batchResult = reduceOf([payloadOf([report(91, 3)])], { vehicle: wiped });
    expect(batchResult.records).toEqual([]);
    expect(batchResult.quarantine).toMatchObject([{ fault: 'old-epoch', boxId: BOX_ID }]);
    expect(vehicleAfter(batchResult, wiped)).toEqual(wiped);
  });

  test('only a limited number of past ones is kept', () => {
    let twin = before;
    for (let epoch = 100; epoch < 100 + 2 * limits.pastEpochs; epoch += 1)
      twin = vehicleAfter(reduceOf([payloadOf([report(1, 1, { epoch })])], { vehicle: twin }), twin);
    expect(twin.box.journal.past?.length).toBe(limits.pastEpochs);
    expect(twin.box.journal.left?.map(({ epoch }) => epoch)).toEqual(twin.box.journal.past);
    expect(twin.box.journal.past?.[0]).toBe(100 + 2 * limits.pastEpochs - 2);
  });
});

describe('invalid input', () => {
  test('a box that is not onboarded is put in quarantine and gets no answer', () => {
    const batchResult = reduceOf([payloadOf([report(1)], { topic: topics.up('00000000000000ff') })]);
    expect(batchResult.quarantine).toMatchObject([
      { fault: 'unknown-box', boxId: '00000000000000ff', offset: 0 },
    ]);
    expect([batchResult.boxes, batchResult.records, batchResult.framesDown]).toEqual([[], [], []]);
  });

  test.each([
    'boxes/07/xyz/up',
    `boxes/${BOX_ID}/up`,
    topics.up(BOX_ID).replace(/\d\d/, '99'),
    'boxes',
    '',
    topics.down(BOX_ID),
    `${topics.up(BOX_ID)}/more`,
  ])('a payload on %j is put in quarantine', (topic) => {
    const batchResult = reduceOf([payloadOf([report(1)], { topic })]);
    expect(batchResult.quarantine).toMatchObject([{ fault: 'foreign-topic', boxId: '' }]);
    expect(batchResult.records).toEqual([]);
  });

  test('an invalid frame between two valid ones does not affect them, is kept with its reason, and is answered as unreadable', () => {
    const bad = Uint8Array.from(encodeFrame(report(2)));
    const lastByte = bad.length - 1;
    bad[lastByte] = (bad[lastByte] ?? 0) ^ 0x01;
    const bytes = Buffer.concat([encodeFrame(report(1)), bad, encodeFrame(report(3))]);
    const batchResult = reduceOf([payloadOf([], { bytes, topic: topics.up(BOX_ID) })]);
    expect(batchResult.records.map(({ record }) => record.sequence)).toEqual([1, 3]);
    expect(batchResult.quarantine).toMatchObject([{ fault: 'wrong-checksum', boxId: BOX_ID }]);
    expect(batchResult.framesDown.map(({ message }) => message)).toEqual([
      { kind: 'receipt', contiguous: 1, ranges: [[3, 3]] },
      { kind: 'unreadable', sequences: [2] },
    ]);
  });

  test('an unreadable record that is stored already gets its receipt', () => {
    const bad = Uint8Array.from(encodeFrame(report(2)));
    const lastByte = bad.length - 1;
    bad[lastByte] = (bad[lastByte] ?? 0) ^ 0x01;
    const before = boxVehicle({}, { journal: { epoch: EPOCH, contiguous: 2, ranges: [] } });
    const batchResult = reduceOf([payloadOf([], { bytes: bad, topic: topics.up(BOX_ID) })], {
      vehicle: before,
    });
    expect(batchResult.framesDown.map(({ message }) => message.kind)).toEqual(['receipt']);
  });

  test.each([
    ['a command from a box', { kind: 'receipt', contiguous: 1, ranges: [] }, 0, 'wrong-direction'],
    ['a birth on the up topic', { kind: 'birth', connection: 2 }, 0, 'wrong-channel'],
    ['a gone on the up topic', { kind: 'gone', connection: 2 }, 0, 'wrong-channel'],
    ['a tombstone for what is to come', tombstone(4, 9), 5, 'impossible-tombstone'],
  ] as const)('%s is put in quarantine', (_, message, sequence, kind) => {
    const batchResult = reduceOf([payloadOf([frame(message, { sequence })], { topic: topics.up(BOX_ID) })]);
    expect(batchResult.quarantine).toMatchObject([{ fault: kind }]);
    expect(batchResult.troubles).toMatchObject([{ kind }]);
    expect(batchResult.records).toEqual([]);
  });

  test('of a payload full of faults only a limited number is kept; all are counted', () => {
    const one = Uint8Array.from(encodeFrame(report(2)));
    const lastByte = one.length - 1;
    one[lastByte] = (one[lastByte] ?? 0) ^ 0x01;
    const many = limits.faultsPerPayload + 5;
    const bytes = Buffer.concat(Array.from({ length: many }, () => one));
    const batchResult = reduceOf([payloadOf([], { bytes, topic: topics.up(BOX_ID) })]);
    expect(batchResult.quarantine.length).toBe(limits.faultsPerPayload);
    expect(batchResult.counts.get('faults.wrong-checksum')).toBe(many);
    expect(batchResult.counts.get('quarantined')).toBe(limits.faultsPerPayload);
  });

  test('a retained presence does not count as contact', () => {
    const batchResult = reduceOf([payloadOf([frame({ kind: 'birth', connection: 2 })], { retained: true })]);
    expect(batchResult.boxes).toEqual([
      { boxId: BOX_ID, version: 3, connection: { counter: 2, open: true } },
    ]);
  });

  test('input without effect leads to no change of the box', () => {
    const before = boxVehicle({}, { connection: { counter: 2, open: true } });
    const batchResult = reduceOf([payloadOf([frame({ kind: 'birth', connection: 2 })], { retained: true })], {
      vehicle: before,
    });
    expect(batchResult.boxes).toEqual([]);
  });
});

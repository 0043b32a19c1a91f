import { describe, expect, test } from 'vitest';
import { limits } from '../../../../backend/limits.ts';
import type { OpenCommand } from '../../../../backend/store/command-store.ts';
import { encodeFrame } from '../../../../protocol/frame.ts';
import type { Hello, Tombstone } from '../../../../protocol/message.ts';
import { topics } from '../../../../protocol/topics.ts';
import { BOX, EPOCH, foldOf, frame, report, sent, T, vehicle, vehicleAfter } from './fold-kit.ts';

const REQUEST = '01KE60EXAMP1E0000000000001';
const command: OpenCommand = {
  requestId: REQUEST,
  vehicleId: 'VEH01',
  boxId: BOX,
  flowId: '6a0f5a8e-0000-4000-8000-000000000002',
  command: 'request-vehicle-state',
  openedMs: T,
  expiresMs: T + 20_000,
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
    const plan = foldOf([sent([report(1, 17)])]);
    expect(plan.records).toEqual([
      {
        record: {
          boxId: BOX,
          epoch: EPOCH,
          sequence: 1,
          kind: 'report',
          clockMs: T,
          receivedMs: T + 500,
          lost: 0,
        },
        draft: {
          vehicleId: 'VEH01',
          fleetId: 'FLEET1',
          receivedMs: T + 500,
          properties: {
            signal: { timestampMs: T, value: 17, epoch: EPOCH, sequence: 1 },
            model: { timestampMs: T, value: 'petrol-compact', epoch: EPOCH, sequence: 1 },
          },
          command: undefined,
        },
      },
    ]);
    expect(plan.boxes).toEqual([
      {
        boxId: BOX,
        version: 3,
        lastContactMs: T + 500,
        journal: { epoch: EPOCH, contiguous: 1, ranges: [] },
        life: { value: 'STANDBY', sinceMs: T + 500 },
        state: {
          signal: { timestampMs: T, value: 17, epoch: EPOCH, sequence: 1 },
          model: { timestampMs: T, value: 'petrol-compact', epoch: EPOCH, sequence: 1 },
        },
      },
    ]);
    expect(plan.down).toEqual([
      { boxId: BOX, generation: 2, epoch: EPOCH, message: { kind: 'receipt', contiguous: 1, ranges: [] } },
    ]);
  });

  test('many payloads of one box give one change and one receipt', () => {
    const plan = foldOf([sent([report(1), report(2)]), sent([report(4)])]);
    expect(plan.records.map(({ record }) => record.sequence)).toEqual([1, 2, 4]);
    expect(plan.boxes.length).toBe(1);
    expect(plan.down.map((down) => down.message)).toEqual([
      { kind: 'receipt', contiguous: 2, ranges: [[4, 4]] },
    ]);
  });

  test('a record that comes again is not stored again, leads to no message, and gets its receipt again', () => {
    const before = vehicle({}, { journal: { epoch: EPOCH, contiguous: 3, ranges: [[6, 7]] } });
    const plan = foldOf([sent([report(2), report(7), report(7)])], { vehicle: before });
    expect(plan.records).toEqual([]);
    expect(plan.boxes[0]).not.toHaveProperty('state');
    expect(plan.down[0]?.message).toEqual({ kind: 'receipt', contiguous: 3, ranges: [[6, 7]] });
    expect(plan.counts.get('records.duplicate')).toBe(3);
  });

  test('a late record is stored and leads to its message, but does not replace what a later one said', () => {
    const before = vehicleAfter(foldOf([sent([report(5, 30)])]), vehicle());
    const plan = foldOf([sent([report(2, 10)])], { vehicle: before });
    expect(plan.records[0]?.draft?.properties['signal']).toEqual({
      timestampMs: T,
      value: 10,
      epoch: EPOCH,
      sequence: 2,
    });
    expect(vehicleAfter(plan, before).state['signal']).toMatchObject({ value: 30, sequence: 5 });
  });

  test.each([
    ['the box does not know the time', 0, T + 500],
    ['the clock is ahead of us', T + 9_000, T + 500],
    ['the clock is right', T - 60_000, T - 60_000],
  ])('where %s the timestamp is not after the receipt', (_, clockMs, expected) => {
    const plan = foldOf([sent([report(1, 5, { clockMs })])]);
    expect(plan.records[0]?.draft?.properties['signal']?.timestampMs).toBe(expected);
  });

  test('a heartbeat leads to a message without properties, a tombstone to none', () => {
    const plan = foldOf([
      sent([frame({ kind: 'heartbeat' }, { sequence: 3 }), frame(tombstone(1, 2), { sequence: 4 })]),
    ]);
    expect(plan.records.map(({ draft }) => draft?.properties)).toEqual([{}, undefined]);
    expect(plan.records.map(({ record }) => record.lost)).toEqual([0, 2]);
    expect(plan.boxes[0]?.journal).toEqual({ epoch: EPOCH, contiguous: 4, ranges: [] });
    expect(plan.counts.get('records.lost')).toBe(2);
  });

  test.each(['PENDING', 'RUNNING', 'FAILED'] as const)(
    'a vehicle whose setup is %s leads to no message',
    (setupStatus) => {
      const plan = foldOf([sent([report(1), frame({ kind: 'heartbeat' }, { sequence: 2 })])], {
        vehicle: vehicle({ setupStatus }),
      });
      expect(plan.records.map(({ draft }) => draft)).toEqual([undefined, undefined]);
      expect(plan.records.length).toBe(2);
    },
  );

  test('records beyond the bound of gaps are left to be sent again', () => {
    const ranges = Array.from(
      { length: limits.journalRanges },
      (_, index) => [3 + index * 2, 3 + index * 2] as const,
    );
    const before = vehicle({}, { journal: { epoch: EPOCH, contiguous: 1, ranges } });
    const plan = foldOf([sent([report(100_000), report(2)])], { vehicle: before });
    expect(plan.records.map(({ record }) => record.sequence)).toEqual([2]);
    expect(plan.troubles.map(({ kind }) => kind)).toEqual(['too-many-gaps']);
  });
});

describe('replies', () => {
  const reply = { kind: 'reply', requestId: REQUEST, outcome: 'done', error: '' } as const;
  const signals = { modem: { csq: 9, network: 0 } };
  const commands = new Map([[REQUEST, command]]);

  test('one with signals settles its command with the state, and its message names the command', () => {
    const plan = foldOf([sent([frame({ ...reply, signals }, { sequence: 1 })])], { commands });
    expect(plan.replies).toMatchObject([
      {
        reply: { requestId: REQUEST, outcome: 'done' },
        boxId: BOX,
        atMs: T + 500,
        state: { signal: { timestampMs: T, value: 9 } },
      },
    ]);
    expect(plan.records[0]?.draft?.command).toEqual(command);
  });

  test('one without signals settles its command and leads to no message', () => {
    const plan = foldOf([sent([frame(reply, { sequence: 1 })])], { commands });
    expect(plan.replies.length).toBe(1);
    expect(plan.replies[0]).not.toHaveProperty('state');
    expect(plan.records[0]?.draft).toBeUndefined();
  });

  test('one that comes again settles nothing again', () => {
    const again = sent([frame(reply, { sequence: 1 })]);
    expect(foldOf([again, again], { commands }).replies.length).toBe(1);
  });

  test("a request of another box's command is not named as the trigger", () => {
    const foreign = new Map([[REQUEST, { ...command, boxId: '00000000000000b2' }]]);
    const plan = foldOf([sent([frame({ ...reply, signals }, { sequence: 1 })])], { commands: foreign });
    expect(plan.records[0]?.draft?.command).toBeUndefined();
  });
});

describe('hello', () => {
  test('is followed by a ready, which a receipt shows to have been heard', () => {
    const plan = foldOf([sent([frame({ kind: 'ready' }, { sequence: 0 })])]);
    expect(plan.down.map(({ message }) => message.kind)).toEqual(['receipt']);
  });

  test('tells firmware, hardware and generation, and is answered with a receipt', () => {
    const plan = foldOf([sent([frame(hello(), { generation: 1 })])]);
    expect(plan.boxes[0]).toMatchObject({
      generation: 1,
      firmware: [2, 24],
      hardwareRevision: 3,
      connection: { counter: 4, open: true },
      notReadyUntilMs: T + 500 + limits.notReadyMs,
    });
    expect(plan.down).toEqual([
      { boxId: BOX, generation: 1, epoch: EPOCH, message: { kind: 'receipt', contiguous: 0, ranges: [] } },
    ]);
  });

  test('a gap below what the box still holds waits for its tombstone, and is then explained', () => {
    const before = vehicle({}, { journal: { epoch: EPOCH, contiguous: 3, ranges: [] } });
    const claim = hello({ lowestHeld: 8, nextSequence: 10 });
    const plan = foldOf(
      [sent([frame(claim)]), sent([report(8)]), sent([frame(tombstone(4, 7), { sequence: 9 })])],
      {
        vehicle: before,
      },
    );
    expect(plan.boxes[0]?.journal).toEqual({ epoch: EPOCH, contiguous: 9, ranges: [] });
    expect(plan.troubles).toEqual([]);
    expect(plan.counts.get('records.unexplained')).toBeUndefined();
  });

  test('without one it is counted as unexplained once everything held is there, and passed over', () => {
    const before = vehicle({}, { journal: { epoch: EPOCH, contiguous: 3, ranges: [] } });
    const claim = hello({ lowestHeld: 8, nextSequence: 10 });
    const first = foldOf([sent([frame(claim)]), sent([report(8)])], { vehicle: before });
    expect(first.counts.get('records.unexplained')).toBeUndefined();
    const second = foldOf([sent([report(9)])], { vehicle: vehicleAfter(first, before) });
    expect(second.counts.get('records.unexplained')).toBe(4);
    expect(second.troubles).toMatchObject([{ kind: 'unexplained-gap', boxId: BOX }]);
    expect(second.boxes[0]?.journal).toEqual({ epoch: EPOCH, contiguous: 9, ranges: [] });
  });

  test('a box that has forgotten sequences it had sent is told of in the log', () => {
    const before = vehicle({}, { journal: { epoch: EPOCH, contiguous: 9, ranges: [] } });
    const plan = foldOf([sent([frame(hello({ lowestHeld: 8, nextSequence: 8 }))])], { vehicle: before });
    expect(plan.troubles).toMatchObject([{ kind: 'sequence-regression' }]);
  });
});

describe('epochs', () => {
  const before = vehicle(
    { state: { signal: { timestampMs: T, value: 1, epoch: EPOCH, sequence: 90 } } },
    { journal: { epoch: EPOCH, contiguous: 90, ranges: [] }, connection: { counter: 50, open: true } },
  );

  test.each([8, 6])(
    'one that was never seen (%i) begins journal and connections anew, and its reports win',
    (epoch) => {
      const plan = foldOf(
        [sent([frame({ kind: 'birth', connection: 1 }, { epoch })]), sent([report(1, 22, { epoch })])],
        { vehicle: before },
      );
      const after = vehicleAfter(plan, before);
      expect(after.box.journal).toEqual({ epoch, contiguous: 1, ranges: [], past: [EPOCH] });
      expect(after.box.connection).toEqual({ counter: 1, open: true });
      expect(after.state['signal']).toMatchObject({ value: 22, epoch, sequence: 1 });
      expect(plan.troubles).toMatchObject([{ kind: 'new-epoch' }]);
    },
  );

  test('the first one of a box is nothing to be told of', () => {
    const fresh = vehicle({}, { journal: { epoch: 0, contiguous: 0, ranges: [] } });
    expect(foldOf([sent([report(1)])], { vehicle: fresh }).troubles).toEqual([]);
  });

  test('a frame of a past one is kept in quarantine and changes nothing else', () => {
    const wiped = vehicleAfter(foldOf([sent([report(1, 22, { epoch: 8 })])], { vehicle: before }), before);
    const plan = foldOf([sent([report(91, 3)])], { vehicle: wiped });
    expect(plan.records).toEqual([]);
    expect(plan.quarantine).toMatchObject([{ fault: 'old-epoch', boxId: BOX }]);
    expect(vehicleAfter(plan, wiped)).toEqual(wiped);
  });

  test('only so many past ones are remembered', () => {
    let twin = before;
    for (let epoch = 100; epoch < 100 + 2 * limits.pastEpochs; epoch += 1)
      twin = vehicleAfter(foldOf([sent([report(1, 1, { epoch })])], { vehicle: twin }), twin);
    expect(twin.box.journal.past?.length).toBe(limits.pastEpochs);
    expect(twin.box.journal.past?.[0]).toBe(100 + 2 * limits.pastEpochs - 2);
  });
});

describe('what must not be', () => {
  test('a box that is not onboarded is put in quarantine and gets no answer', () => {
    const plan = foldOf([sent([report(1)], { topic: topics.up('00000000000000ff') })]);
    expect(plan.quarantine).toMatchObject([{ fault: 'unknown-box', boxId: '00000000000000ff', offset: 0 }]);
    expect([plan.boxes, plan.records, plan.down]).toEqual([[], [], []]);
  });

  test.each(['boxes/xyz/up', 'boxes', '', topics.down(BOX), `boxes/${BOX}/up/more`])(
    'a payload on %j is put in quarantine',
    (topic) => {
      const plan = foldOf([sent([report(1)], { topic })]);
      expect(plan.quarantine).toMatchObject([{ fault: 'foreign-topic', boxId: '' }]);
      expect(plan.records).toEqual([]);
    },
  );

  test('a bad frame between two good ones costs neither, is kept with its reason, and is answered as unreadable', () => {
    const bad = Uint8Array.from(encodeFrame(report(2)));
    const lastByte = bad.length - 1;
    bad[lastByte] = (bad[lastByte] ?? 0) ^ 0x01;
    const bytes = Buffer.concat([encodeFrame(report(1)), bad, encodeFrame(report(3))]);
    const plan = foldOf([sent([], { bytes, topic: topics.up(BOX) })]);
    expect(plan.records.map(({ record }) => record.sequence)).toEqual([1, 3]);
    expect(plan.quarantine).toMatchObject([{ fault: 'wrong-checksum', boxId: BOX }]);
    expect(plan.down.map(({ message }) => message)).toEqual([
      { kind: 'receipt', contiguous: 1, ranges: [[3, 3]] },
      { kind: 'unreadable', sequences: [2] },
    ]);
  });

  test('an unreadable record that is stored already gets its receipt', () => {
    const bad = Uint8Array.from(encodeFrame(report(2)));
    const lastByte = bad.length - 1;
    bad[lastByte] = (bad[lastByte] ?? 0) ^ 0x01;
    const before = vehicle({}, { journal: { epoch: EPOCH, contiguous: 2, ranges: [] } });
    const plan = foldOf([sent([], { bytes: bad, topic: topics.up(BOX) })], { vehicle: before });
    expect(plan.down.map(({ message }) => message.kind)).toEqual(['receipt']);
  });

  test.each([
    ['a command from a box', { kind: 'receipt', contiguous: 1, ranges: [] }, 0, 'wrong-direction'],
    ['a birth on the up topic', { kind: 'birth', connection: 2 }, 0, 'wrong-channel'],
    ['a tombstone for what is to come', tombstone(4, 9), 5, 'impossible-tombstone'],
  ] as const)('%s is put in quarantine', (_, message, sequence, kind) => {
    const plan = foldOf([sent([frame(message, { sequence })], { topic: topics.up(BOX) })]);
    expect(plan.quarantine).toMatchObject([{ fault: kind }]);
    expect(plan.troubles).toMatchObject([{ kind }]);
    expect(plan.records).toEqual([]);
  });

  test('of a payload full of faults only so many are kept; all are counted', () => {
    const one = Uint8Array.from(encodeFrame(report(2)));
    const lastByte = one.length - 1;
    one[lastByte] = (one[lastByte] ?? 0) ^ 0x01;
    const many = limits.faultsPerPayload + 5;
    const bytes = Buffer.concat(Array.from({ length: many }, () => one));
    const plan = foldOf([sent([], { bytes, topic: topics.up(BOX) })]);
    expect(plan.quarantine.length).toBe(limits.faultsPerPayload);
    expect(plan.counts.get('faults.wrong-checksum')).toBe(many);
  });

  test('a retained presence is no contact', () => {
    const plan = foldOf([sent([frame({ kind: 'birth', connection: 2 })], { retained: true })]);
    expect(plan.boxes).toEqual([{ boxId: BOX, version: 3, connection: { counter: 2, open: true } }]);
  });

  test('what changes nothing leads to no change of the box', () => {
    const before = vehicle({}, { connection: { counter: 2, open: true } });
    const plan = foldOf([sent([frame({ kind: 'birth', connection: 2 })], { retained: true })], {
      vehicle: before,
    });
    expect(plan.boxes).toEqual([]);
  });
});

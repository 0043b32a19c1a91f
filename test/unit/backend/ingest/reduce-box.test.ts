import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../../backend/base/limits.ts';
import type { OpenCommand } from '../../../../backend/store/port/command-store.ts';
import type { BoxVehicle } from '../../../../backend/store/port/stored-vehicle.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { COMMANDS, type CommandName, endsSession } from '../../../../protocol/commands.ts';
import { wireLimits } from '../../../../protocol/limits.ts';
import type { Reply, Tombstone } from '../../../../protocol/message.ts';
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
const RECEIVED_MS = START_MS + 500;
const OPEN = { counter: 4, open: true } as const;
const NOT_READY = { connection: OPEN, notReadyUntilMs: START_MS + 60_000 } as const;

function commandOf(name: CommandName, change: Partial<OpenCommand> = {}): OpenCommand {
  return {
    requestId: REQUEST,
    vehicleId: 'VEH01',
    boxId: BOX_ID,
    flowId: '6a0f5a8e-0000-4000-8000-000000000002',
    command: name,
    openedMs: START_MS,
    expiresMs: START_MS + 20_000,
    ...change,
  };
}

function replied(command: OpenCommand, vehicle: BoxVehicle, outcome: Reply['outcome'] = 'done'): BoxVehicle {
  const message = { kind: 'reply', requestId: REQUEST, outcome, error: '' } as const;
  const commands = new Map([[REQUEST, command]]);
  return vehicleAfter(
    reduceOf([payloadOf([frame(message, { sequence: 1 })])], { commands, vehicle }),
    vehicle,
  );
}

describe('the reply to a command', () => {
  const online = boxVehicle(
    {},
    { connection: OPEN, lastContactMs: START_MS, life: { value: 'ONLINE', sinceMs: START_MS } },
  );

  test.each(COMMANDS.map(({ name }) => name))('%s closes the connection if it ends the session', (name) => {
    expect(replied(commandOf(name), online).box).toMatchObject(
      endsSession(name)
        ? {
            connection: { counter: 4, open: false },
            notReadyUntilMs: RECEIVED_MS + LIMITS.vehicle.notReadyMs,
            life: { value: 'STANDBY', sinceMs: RECEIVED_MS },
          }
        : { connection: OPEN, notReadyUntilMs: undefined, life: { value: 'ONLINE', sinceMs: START_MS } },
    );
  });

  test.each<[string, BoxVehicle, Partial<OpenCommand>, Reply['outcome']]>([
    ['was not done', online, {}, 'failed'],
    ['was opened before the box came back', online, { openedMs: START_MS - 1 }, 'done'],
    ['is of another box', online, { boxId: '00000000000000b2' }, 'done'],
    ['finds a box of which nothing was heard yet', boxVehicle({}, { connection: OPEN }), {}, 'done'],
    [
      'finds a box whose connection is not known',
      boxVehicle({}, { life: { value: 'ONLINE', sinceMs: START_MS } }),
      {},
      'done',
    ],
    [
      'finds a box that has signed off already',
      boxVehicle(
        {},
        { connection: { counter: 4, open: false }, life: { value: 'ONLINE', sinceMs: START_MS } },
      ),
      {},
      'done',
    ],
  ])('that %s leaves the connection as it is', (_, vehicle, change, outcome) => {
    const after = replied(commandOf('board-reset', change), vehicle, outcome);
    expect(after.box.connection).toEqual(vehicle.box.connection);
    expect(after.box.notReadyUntilMs).toBeUndefined();
  });
});

describe('a box that has reported ready', () => {
  const NEXT = OPEN.counter + 1;
  const hello = {
    kind: 'hello',
    connection: NEXT,
    firmware: [2, 30],
    hardwareRevision: 1,
    resetReason: 'SOFTWARE',
    lowestHeld: 1,
    nextSequence: 1,
    configurationRevision: 0,
  } as const;
  const sent = [
    frame({ kind: 'birth', connection: NEXT }, { boot: 2, clockMs: START_MS }),
    frame(hello, { boot: 2, clockMs: START_MS }),
    frame({ kind: 'ready' }, { boot: 2, clockMs: START_MS + 400 }),
  ];
  /** NATS sends unacknowledged messages of the former session again 5 s later, and newer ones at once. */
  const orders = fc
    .tuple(fc.shuffledSubarray(sent, { minLength: sent.length }), fc.array(fc.constantFrom(...sent)))
    .map(([once, again]) => [...once, ...again]);

  test.each([
    ['the end of its former connection', { connection: { counter: OPEN.counter, open: false } }],
    ['its former connection, still open', { connection: OPEN }],
    ['a going-down', { ...NOT_READY, connection: { counter: OPEN.counter, open: false } }],
  ])('is connected after %s, in whatever order a broker delivers and repeats its frames', (_, box) => {
    fc.assert(
      fc.property(orders, (frames) => {
        let vehicle = boxVehicle({}, box);
        for (const one of frames) vehicle = vehicleAfter(reduceOf([payloadOf([one])], { vehicle }), vehicle);
        expect(vehicle.box).toMatchObject({
          connection: { counter: NEXT, open: true },
          notReadyUntilMs: undefined,
        });
      }),
    );
  });

  test('is not ready again after the hello of its next connection', () => {
    let vehicle = boxVehicle({}, { connection: OPEN });
    const next = frame({ ...hello, connection: NEXT + 1 }, { boot: 2, clockMs: START_MS + 401 });
    for (const one of [...sent, next])
      vehicle = vehicleAfter(reduceOf([payloadOf([one])], { vehicle }), vehicle);
    expect(vehicle.box.notReadyUntilMs).toBe(RECEIVED_MS + LIMITS.vehicle.notReadyMs);
  });
});

describe('contact with a box', () => {
  const heard = boxVehicle({}, { connection: OPEN, lastContactMs: START_MS });

  test('is every frame that it sends, and none that the broker sends for it', () => {
    const left = (message: Parameters<typeof frame>[0]) =>
      vehicleAfter(reduceOf([payloadOf([frame(message)])], { vehicle: heard }), heard).box.lastContactMs;
    expect(left({ kind: 'birth', connection: 5 })).toBe(RECEIVED_MS);
    expect(left({ kind: 'ready' })).toBe(RECEIVED_MS);
    expect(left({ kind: 'gone', connection: 4 })).toBe(START_MS);
  });

  test('is no retained frame, and a retained record does not make a box ready', () => {
    const vehicle = boxVehicle({}, { ...NOT_READY, lastContactMs: START_MS });
    const left = (retained: boolean) =>
      vehicleAfter(reduceOf([payloadOf([report(1)], { retained })], { vehicle }), vehicle).box;
    expect(left(false)).toMatchObject({ notReadyUntilMs: undefined, lastContactMs: RECEIVED_MS });
    expect(left(true)).toMatchObject({
      notReadyUntilMs: NOT_READY.notReadyUntilMs,
      lastContactMs: START_MS,
    });
    expect(left(true).journal.contiguous).toBe(1);
  });

  test('changes the columns that it is about, and no other', () => {
    const known = boxVehicle({}, { firmware: [2, 24], hardwareRevision: 3, connection: OPEN });
    const [change] = reduceOf([payloadOf([report(1)])], { vehicle: known }).boxes;
    expect(new Set(Object.keys(change ?? {}))).toEqual(
      new Set(['boxId', 'journal', 'lastContactMs', 'life', 'stateText', 'version']),
    );
  });
});

describe('what is written of a box', () => {
  const columns = (payloads: Parameters<typeof reduceOf>[0], vehicle: BoxVehicle) => {
    const { boxId: _boxId, version: _version, ...written } = reduceOf(payloads, { vehicle }).boxes[0] ?? {};
    return written;
  };
  const known = {
    connection: OPEN,
    lastContactMs: START_MS,
    firmware: [2, 24] as const,
    hardwareRevision: 3,
  };
  const online = boxVehicle({}, { ...known, life: { value: 'ONLINE', sinceMs: START_MS } });
  const suspended = boxVehicle({}, { ...known, simSuspendedMs: START_MS });

  test('of a record that the broker had retained is that record alone, and no contact', () => {
    const written = columns([payloadOf([report(1)], { retained: true })], online);
    expect(new Set(Object.keys(written))).toEqual(new Set(['journal', 'stateText']));
  });

  test('of a new connection is also that its SIM is no longer suspended', () => {
    expect(columns([payloadOf([frame({ kind: 'birth', connection: 5 })])], suspended)).toMatchObject({
      connection: { counter: 5, open: true },
      simSuspendedMs: null,
    });
  });

  test('of presence is answered with no frame', () => {
    const goingDown = { kind: 'going-down', connection: 4, reason: 'reset', expectedS: 20 } as const;
    for (const message of [
      { kind: 'birth', connection: 5 },
      { kind: 'gone', connection: 4 },
      goingDown,
    ] as const)
      expect(reduceOf([payloadOf([frame(message)])], { vehicle: online }).framesDown).toEqual([]);
  });
});

describe('a box whose SIM is suspended', () => {
  const suspended = boxVehicle({}, { connection: { counter: 4, open: true }, simSuspendedMs: START_MS });
  const left = (...messages: readonly Parameters<typeof frame>[0][]) =>
    vehicleAfter(
      reduceOf(
        messages.map((message) => payloadOf([frame(message)])),
        { vehicle: suspended },
      ),
      suspended,
    ).box.simSuspendedMs;

  test('has an active one again with the next connection', () => {
    expect(left({ kind: 'birth', connection: 5 })).toBeUndefined();
  });

  test('keeps it suspended through what is left of the last connection', () => {
    const goingDown = { kind: 'going-down', connection: 4, reason: 'reset', expectedS: 20 } as const;
    expect(left(goingDown)).toBe(START_MS);
    expect(left({ kind: 'gone', connection: 4 })).toBe(START_MS);
    expect(left(goingDown, { kind: 'gone', connection: 5 })).toBe(START_MS);
  });
});

describe('a tombstone', () => {
  const tombstone = (first: number, last: number): Tombstone => ({
    kind: 'tombstone',
    reason: 'overwritten',
    first,
    last,
    reports: last - first + 1,
    events: 0,
    replies: 0,
  });

  test('is of records before it; every other one is put in quarantine and settles nothing', () => {
    const sequences = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(sequences, fc.integer({ min: 0, max: 5 }), sequences, (first, length, sequence) => {
        const last = first + length;
        const { records, quarantine, framesDown } = reduceOf([
          payloadOf([frame(tombstone(first, last), { sequence })]),
        ]);
        const isPossible = last < sequence;
        expect(records.map(({ record }) => record.covers)).toEqual(isPossible ? [[first, last]] : []);
        expect(quarantine.map(({ fault }) => fault)).toEqual(isPossible ? [] : ['impossible-tombstone']);
        const kinds = framesDown.map(({ message }) => message.kind);
        expect(kinds.includes('unreadable')).toBe(!isPossible);
      }),
    );
  });

  test('loses the records that it names, of every kind, but none that was stored', () => {
    const kinds = fc.record({
      reports: fc.integer({ min: 0, max: 5 }),
      events: fc.integer({ min: 0, max: 5 }),
      replies: fc.integer({ min: 0, max: 5 }),
    });
    fc.assert(
      fc.property(kinds, fc.integer({ min: 0, max: 4 }), (given, contiguous) => {
        const vehicle = boxVehicle({}, { journal: { epoch: EPOCH, contiguous, ranges: [] } });
        const last = 8;
        const message: Tombstone = { kind: 'tombstone', reason: 'overwritten', first: 1, last, ...given };
        const named = given.reports + given.events + given.replies;
        const result = reduceOf([payloadOf([frame(message, { sequence: 20 })])], { vehicle });
        expect(result.records[0]?.record.lost).toBe(Math.min(named, last - contiguous));
      }),
    );
  });

  test('makes a box ready whose ready was lost', () => {
    const vehicle = boxVehicle({}, NOT_READY);
    const result = reduceOf([payloadOf([frame(tombstone(1, 2), { sequence: 3 })])], { vehicle });
    expect(vehicleAfter(result, vehicle).box).toMatchObject({ connection: OPEN, notReadyUntilMs: undefined });
  });
});

describe('the receipt of a box with many gaps', () => {
  /** Every second sequence: more ranges than a receipt has room for. */
  const count = wireLimits.receiptRanges + 20;
  const ranges = Array.from({ length: count }, (_, index) => [3 + 2 * index, 3 + 2 * index] as const);
  const gaps = boxVehicle({}, { journal: { epoch: EPOCH, contiguous: 1, ranges } });
  const last = 3 + 2 * (count - 1);

  test('names what was just received before what is older', () => {
    const [receipt] = reduceOf([payloadOf([report(last)])], { vehicle: gaps }).framesDown;
    expect(receipt?.message).toEqual({
      kind: 'receipt',
      contiguous: 1,
      ranges: [...ranges.slice(0, wireLimits.receiptRanges - 1), [last, last]],
    });
  });

  test('names nothing that was received before its journal began anew', () => {
    const anew = Array.from({ length: count }, (_, index) => report(3 + 2 * index, 20, { epoch: EPOCH + 1 }));
    const [receipt] = reduceOf([payloadOf([report(last), ...anew])]).framesDown;
    expect(receipt?.epoch).toBe(EPOCH + 1);
    const [wiped] = reduceOf([
      payloadOf([
        ...Array.from({ length: 3 }, (_, index) => report(last - 2 * index)),
        ...anew.slice(0, -1),
        report(last, 20, { epoch: EPOCH + 1 }),
      ]),
    ]).framesDown;
    const named = wiped?.message.kind === 'receipt' ? wiped.message.ranges : [];
    expect(named).toEqual(ranges.slice(0, wireLimits.receiptRanges));
  });
});

describe('the reply to a setup', () => {
  test('is told as a report is: no client has asked for it', () => {
    const reply = {
      kind: 'reply',
      requestId: REQUEST,
      outcome: 'done',
      error: '',
      signals: { modem: { csq: 9, network: 0 } },
    } as const;
    const draftOf = (name: CommandName) =>
      reduceOf([payloadOf([frame(reply, { sequence: 2 })])], {
        commands: new Map([[REQUEST, commandOf(name)]]),
        vehicle: boxVehicle({}, { journal: { epoch: EPOCH, contiguous: 1, ranges: [], setUpAt: 1 } }),
      }).records[0]?.draft;
    expect(draftOf('begin-setup')).toMatchObject({ vehicleId: 'VEH01', command: undefined });
    expect(draftOf('draw-attention')?.command?.flowId).toBe(commandOf('draw-attention').flowId);
  });
});

describe('what is put in quarantine', () => {
  test('is kept up to a number of bytes, from where it began', () => {
    const bytes = new Uint8Array(limits.quarantineBytes + 100).map((_, index) => index % 251);
    const [kept] = reduceOf([payloadOf([], { bytes, topic: 'boxes/none' })]).quarantine;
    expect(kept).toMatchObject({ fault: 'foreign-topic', offset: 0, boxId: '' });
    expect(kept?.bytes).toEqual(bytes.subarray(0, limits.quarantineBytes));
  });
});

import { describe, expect, test } from 'vitest';
import type { OpenCommand } from '../../../../backend/store/port/command-store.ts';
import {
  BOX_ID,
  boxVehicle,
  frame,
  payloadOf,
  reduceOf,
  report,
  START_MS,
  vehicleAfter,
} from '../../../support/backend/ingest-input.ts';

/** Onboarded at T. */
const anew = (change: Parameters<typeof boxVehicle>[0] = {}) =>
  boxVehicle({ createdMs: START_MS, ...change });
const drafts = (batchResult: ReturnType<typeof reduceOf>) =>
  batchResult.records.filter(({ draft }) => draft !== undefined);

const beginSetup = (change: Partial<OpenCommand> = {}): OpenCommand => ({
  requestId: '01JGXD0000000000000000000A',
  vehicleId: 'VEH01',
  boxId: BOX_ID,
  flowId: '6a0f5a8e-0000-4000-8000-000000000002',
  command: 'begin-setup',
  openedMs: START_MS,
  expiresMs: START_MS + 20_000,
  ...change,
});
const setUp = (sequence: number, outcome: 'done' | 'failed' = 'done') =>
  frame(
    { kind: 'reply', requestId: beginSetup().requestId, outcome, error: '' },
    { sequence, clockMs: START_MS + 1 },
  );
const knowing = (command: OpenCommand) => new Map([[command.requestId, command]]);

describe('records of a box from before its onboarding', () => {
  test('are stored and receipted, and do not change the state', () => {
    const before = anew();
    const batchResult = reduceOf([payloadOf([report(1, 20, { clockMs: START_MS - 1 })])], {
      vehicle: before,
    });
    expect(batchResult.records).toHaveLength(1);
    expect(drafts(batchResult)).toEqual([]);
    expect(vehicleAfter(batchResult, before).state).toEqual({});
    expect(batchResult.framesDown).toMatchObject([{ message: { kind: 'receipt', contiguous: 1 } }]);
    expect(
      drafts(reduceOf([payloadOf([report(1, 20, { clockMs: START_MS })])], { vehicle: before })),
    ).toHaveLength(1);
  });

  test.each(['PENDING', 'RUNNING', 'FAILED'] as const)(
    'a vehicle whose setup is %s has no state and no messages, and its records are receipted',
    (setupStatus) => {
      const before = anew({ setupStatus });
      const batchResult = reduceOf([payloadOf([report(1), frame({ kind: 'heartbeat' }, { sequence: 2 })])], {
        vehicle: before,
      });
      expect(drafts(batchResult)).toEqual([]);
      expect(vehicleAfter(batchResult, before).state).toEqual({});
      expect(batchResult.framesDown).toMatchObject([{ message: { kind: 'receipt', contiguous: 2 } }]);
    },
  );

  test('do not include those after the reply to the setup, even in the same payload', () => {
    const before = anew({ setupStatus: 'RUNNING' });
    const batchResult = reduceOf([payloadOf([report(4), setUp(5), report(6, 7)])], {
      vehicle: before,
      commands: knowing(beginSetup()),
    });
    expect(drafts(batchResult).map(({ record }) => record.sequence)).toEqual([6]);
    expect(vehicleAfter(batchResult, before).state['signal']?.value).toBe(7);
    expect(vehicleAfter(batchResult, before).box.journal.setUpAt).toBe(5);
  });

  test('are ignored if they come before the reply to the setup, whatever the clock of the box', () => {
    const before = anew({ setupStatus: 'SUCCEEDED' });
    const setUpBox = { ...before, box: { ...before.box, journal: { ...before.box.journal, setUpAt: 5 } } };
    const late = [report(3, 1, { clockMs: 0 }), report(4, 2, { clockMs: START_MS + 86_400_000 })];
    const batchResult = reduceOf([payloadOf(late)], { vehicle: setUpBox });
    expect(drafts(batchResult)).toEqual([]);
    expect(vehicleAfter(batchResult, setUpBox).state).toEqual({});
    const next = reduceOf([payloadOf([report(6, 3, { clockMs: 0 })])], { vehicle: setUpBox });
    expect(drafts(next)).toHaveLength(1);
  });

  test('do not include those after the setup with a clock before the onboarding: it was set back', () => {
    const before = anew({ setupStatus: 'SUCCEEDED' });
    const setUpBox = { ...before, box: { ...before.box, journal: { ...before.box.journal, setUpAt: 5 } } };
    const setBack = payloadOf([report(6, 3, { clockMs: START_MS - 7_200_000 })]);
    expect(drafts(reduceOf([setBack], { vehicle: setUpBox }))).toHaveLength(1);
  });

  test('do not include those of the epoch that a wiped box begins after its setup', () => {
    const before = anew({ setupStatus: 'SUCCEEDED' });
    const setUpBox = {
      ...before,
      box: { ...before.box, journal: { ...before.box.journal, epoch: 7, setUpAt: 5 } },
    };
    const wiped = reduceOf([payloadOf([report(1, 3, { epoch: 8, clockMs: START_MS - 7_200_000 })])], {
      vehicle: setUpBox,
    });
    expect(drafts(wiped)).toHaveLength(1);
    expect(vehicleAfter(wiped, setUpBox).box.journal).toMatchObject({ epoch: 8, setUpAt: 0 });
  });

  test.each([
    ['failed', beginSetup(), 'failed'],
    ['done for the vehicle before', beginSetup({ vehicleId: 'VEH00' }), 'done'],
    ['asked of another box', beginSetup({ boxId: '00000000000000b2' }), 'done'],
  ] as const)('a setup that was %s sets nothing up', (_name, command, outcome) => {
    const before = anew({ setupStatus: 'RUNNING' });
    const batchResult = reduceOf([payloadOf([setUp(1, outcome), report(2)])], {
      vehicle: before,
      commands: knowing(command),
    });
    expect(drafts(batchResult)).toEqual([]);
  });

  test('include a late reply to a command of the previous vehicle, which is settled and not shown to the new owner', () => {
    const command = beginSetup({ vehicleId: 'VEH00', command: 'request-vehicle-state' });
    const signals = { modem: { csq: 9, network: 26201 } };
    const reply = frame(
      { kind: 'reply', requestId: command.requestId, outcome: 'done', error: '', signals },
      { sequence: 1, clockMs: START_MS + 5 },
    );
    const before = anew();
    const batchResult = reduceOf([payloadOf([reply])], { vehicle: before, commands: knowing(command) });
    expect(batchResult.replies).toMatchObject([{ reply: { requestId: command.requestId } }]);
    expect(batchResult.replies[0]).not.toHaveProperty('state');
    expect(drafts(batchResult)).toEqual([]);
    expect(vehicleAfter(batchResult, before).state).toEqual({});
  });
});

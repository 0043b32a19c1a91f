import { describe, expect, test } from 'vitest';
import type { OpenCommand } from '../../../../backend/store/command-store.ts';
import { BOX, foldOf, frame, report, sent, T, vehicle, vehicleAfter } from './fold-kit.ts';

/** Onboarded at T. */
const anew = (change: Parameters<typeof vehicle>[0] = {}) => vehicle({ createdMs: T, ...change });
const drafts = (plan: ReturnType<typeof foldOf>) => plan.records.filter(({ draft }) => draft !== undefined);

const beginSetup = (change: Partial<OpenCommand> = {}): OpenCommand => ({
  requestId: '01JGXD0000000000000000000A',
  vehicleId: 'VEH01',
  boxId: BOX,
  flowId: '6a0f5a8e-0000-4000-8000-000000000002',
  command: 'begin-setup',
  openedMs: T,
  expiresMs: T + 20_000,
  ...change,
});
const setUp = (sequence: number, outcome: 'done' | 'failed' = 'done') =>
  frame(
    { kind: 'reply', requestId: beginSetup().requestId, outcome, error: '' },
    { sequence, clockMs: T + 1 },
  );
const knowing = (command: OpenCommand) => new Map([[command.requestId, command]]);

describe('what a box saw before it came into its vehicle', () => {
  test('a record from before the onboarding is stored and receipted, and tells nothing', () => {
    const before = anew();
    const plan = foldOf([sent([report(1, 20, { clockMs: T - 1 })])], { vehicle: before });
    expect(plan.records).toHaveLength(1);
    expect(drafts(plan)).toEqual([]);
    expect(vehicleAfter(plan, before).state).toEqual({});
    expect(plan.down).toMatchObject([{ message: { kind: 'receipt', contiguous: 1 } }]);
    expect(drafts(foldOf([sent([report(1, 20, { clockMs: T })])], { vehicle: before }))).toHaveLength(1);
  });

  test.each(['PENDING', 'RUNNING', 'FAILED'] as const)(
    'a vehicle whose setup is %s has no state and no messages, and its records are receipted',
    (setupStatus) => {
      const before = anew({ setupStatus });
      const plan = foldOf([sent([report(1), frame({ kind: 'heartbeat' }, { sequence: 2 })])], {
        vehicle: before,
      });
      expect(drafts(plan)).toEqual([]);
      expect(vehicleAfter(plan, before).state).toEqual({});
      expect(plan.down).toMatchObject([{ message: { kind: 'receipt', contiguous: 2 } }]);
    },
  );

  test("what stands behind the box's word that it is set up counts, in the same payload already", () => {
    const before = anew({ setupStatus: 'RUNNING' });
    const plan = foldOf([sent([report(4), setUp(5), report(6, 7)])], {
      vehicle: before,
      commands: knowing(beginSetup()),
    });
    expect(drafts(plan).map(({ record }) => record.sequence)).toEqual([6]);
    expect(vehicleAfter(plan, before).state['signal']?.value).toBe(7);
    expect(vehicleAfter(plan, before).box.journal.setUpAt).toBe(5);
  });

  test('what stands before it comes late and does not count, whatever the box took the time for', () => {
    const before = anew({ setupStatus: 'SUCCEEDED' });
    const setUpBox = { ...before, box: { ...before.box, journal: { ...before.box.journal, setUpAt: 5 } } };
    const late = [report(3, 1, { clockMs: 0 }), report(4, 2, { clockMs: T + 86_400_000 })];
    const plan = foldOf([sent(late)], { vehicle: setUpBox });
    expect(drafts(plan)).toEqual([]);
    expect(vehicleAfter(plan, setUpBox).state).toEqual({});
    const next = foldOf([sent([report(6, 3, { clockMs: 0 })])], { vehicle: setUpBox });
    expect(drafts(next)).toHaveLength(1);
  });

  test.each([
    ['failed', beginSetup(), 'failed'],
    ['done for the vehicle before', beginSetup({ vehicleId: 'VEH00' }), 'done'],
    ['asked of another box', beginSetup({ boxId: '00000000000000b2' }), 'done'],
  ] as const)('a setup that was %s sets nothing up', (_name, command, outcome) => {
    const before = anew({ setupStatus: 'RUNNING' });
    const plan = foldOf([sent([setUp(1, outcome), report(2)])], {
      vehicle: before,
      commands: knowing(command),
    });
    expect(drafts(plan)).toEqual([]);
  });

  test('the late answer to a command of the vehicle before settles it, and tells the new owner nothing', () => {
    const command = beginSetup({ vehicleId: 'VEH00', command: 'request-vehicle-state' });
    const signals = { modem: { csq: 9, network: 26201 } };
    const reply = frame(
      { kind: 'reply', requestId: command.requestId, outcome: 'done', error: '', signals },
      { sequence: 1, clockMs: T + 5 },
    );
    const before = anew();
    const plan = foldOf([sent([reply])], { vehicle: before, commands: knowing(command) });
    expect(plan.replies).toMatchObject([{ reply: { requestId: command.requestId } }]);
    expect(plan.replies[0]).not.toHaveProperty('state');
    expect(drafts(plan)).toEqual([]);
    expect(vehicleAfter(plan, before).state).toEqual({});
  });
});

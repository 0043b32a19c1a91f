import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bulkWaitMs,
  isTriedAgain,
  makeAttemptWorkItem,
} from '../../../../backend/configuration/bulk-attempt.ts';
import type { ConfigurationChange, Configurator } from '../../../../backend/configuration/configurator.ts';
import type { BulkWorkItem } from '../../../../backend/store/port/bulk-store.ts';
import { StoreFailed } from '../../../../backend/store/port/store.ts';
import type { FoundVehicle } from '../../../../backend/store/port/stored-vehicle.ts';
import { PROBLEMS, type ProblemKind, problem } from '../../../../contract/problems.ts';
import { VirtualLoop } from '../../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../../world/loop/virtual-process-scope.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { virtualTime } from '../../../../world/time/virtual-time.ts';

const ITEM: BulkWorkItem = {
  jobId: 'JOB',
  position: 3,
  attempt: 2,
  vehicleId: 'VEH01',
  fleetId: 'FLEET1',
  flowId: 'flow',
  features: { tracking: null },
  step: 4,
};
const KEY = { jobId: 'JOB', position: 3, attempt: 2 };
const VEHICLE = { id: 'VEH01', fleetId: 'FLEET1' } as FoundVehicle;
const DONE = { done: true, inForce: { revision: 1, features: {} } } as const;
const SEED = 5;

/** Carries out one attempt of a service whose vehicle and configurator are as given, and tells what it asked for. */
async function attempted(
  {
    apply = () => Promise.resolve(DONE),
    find = () => Promise.resolve(VEHICLE),
  }: {
    readonly apply?: Configurator['apply'];
    readonly find?: (id: string) => Promise<FoundVehicle | undefined>;
  },
  workItem = ITEM,
) {
  const loop = new VirtualLoop();
  const warnings: object[] = [];
  const changes: ConfigurationChange[] = [];
  const log = { debug: () => undefined, info: () => undefined, error: () => undefined };
  const result = await makeAttemptWorkItem({
    world: {
      time: virtualTime(loop, new ProcessScope('service')),
      random: seededRandom(SEED),
      log: { ...log, warn: (fields: object) => void warnings.push(fields) },
    },
    vehicles: { find },
    configurator: {
      apply: (change) => {
        changes.push(change);
        return apply(change);
      },
    },
  })(workItem);
  return { result, warnings, changes, nowMs: loop.nowMs };
}

/** When a postponed attempt of this step is due: the wait is drawn from the stream of bulk jobs. */
const dueMsOf = (nowMs: number, step: number) =>
  nowMs + bulkWaitMs(step, seededRandom(SEED).stream('backend/bulk').fraction());

describe('an attempt of a bulk job', () => {
  test('asks for what the job says, in the name of its fleet, and is applied if the box has done it', async () => {
    const { result, changes, warnings } = await attempted({});
    expect(result).toEqual({ ...KEY, outcome: 'applied' });
    expect(changes).toEqual([
      {
        vehicle: VEHICLE,
        features: { tracking: null },
        flowId: 'flow',
        callerFleetId: 'FLEET1',
        bulkJobId: 'JOB',
      },
    ]);
    expect(warnings).toEqual([]);
  });

  test('of every problem is tried again after its wait or has failed for good, with the reason', async () => {
    const problems = fc.constantFrom(...(Object.keys(PROBLEMS) as ProblemKind[]));
    await fc.assert(
      fc.asyncProperty(problems, fc.integer({ min: 0, max: 20 }), async (kind, step) => {
        const refusal = problem(kind, 'Why.');
        const apply = () => Promise.resolve({ done: false, refusal } as const);
        const { result, nowMs } = await attempted({ apply }, { ...ITEM, step });
        expect(result).toEqual(
          isTriedAgain(kind)
            ? { ...KEY, outcome: 'postponed', dueMs: dueMsOf(nowMs, step), reason: refusal }
            : { ...KEY, outcome: 'failed', reason: refusal },
        );
      }),
    );
  });

  test('of a vehicle that is shared with the fleet of the job fails as its direct request does', async () => {
    const refusal = problem('shared-with-partner', 'Only the owner of the vehicle may configure it.');
    const { result, changes } = await attempted({
      find: () => Promise.resolve({ ...VEHICLE, fleetId: 'FLEET2', sharedWith: 'FLEET1' }),
      apply: () => Promise.resolve({ done: false, refusal }),
    });
    expect(changes).toMatchObject([{ callerFleetId: 'FLEET1', vehicle: { fleetId: 'FLEET2' } }]);
    expect(result).toEqual({ ...KEY, outcome: 'failed', reason: refusal });
  });

  test.each([
    ['is gone', undefined],
    ['belongs to another fleet by now', { ...VEHICLE, fleetId: 'FLEET2' }],
  ])('of a vehicle that %s has failed, and nothing is sent', async (_, vehicle) => {
    const { result, changes } = await attempted({ find: () => Promise.resolve(vehicle) });
    expect(result).toMatchObject({ ...KEY, outcome: 'failed', reason: { problem: 'resource-not-found' } });
    expect(changes).toEqual([]);
  });

  test.each([
    ['the vehicle is looked for', { find: () => Promise.reject(new StoreFailed('disk full')) }],
    ['it is configured', { apply: () => Promise.reject(new StoreFailed('disk full')) }],
  ])('is repeated after its wait if the store fails when %s, and is told in the log', async (_, broken) => {
    const { result, nowMs, warnings } = await attempted(broken);
    expect(result).toEqual({
      ...KEY,
      outcome: 'postponed',
      dueMs: dueMsOf(nowMs, ITEM.step),
      reason: { problem: 'internal-server-error', detail: 'The service failed.' },
    });
    expect(warnings).toEqual([
      { flowId: 'flow', vehicleId: 'VEH01', error: expect.stringContaining('disk full') },
    ]);
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type {
  CommandAnswer,
  CommandOrder,
  RefusedOrder,
} from '../../../../backend/commands/command-dispatcher.ts';
import { makeConfigurator } from '../../../../backend/configuration/configurator.ts';
import type {
  FeatureInForce,
  VehicleConfiguration,
} from '../../../../backend/store/port/configuration-store.ts';
import { openSqliteStore, type SqliteStore } from '../../../../backend/store/sqlite/store.ts';
import { problem } from '../../../../contract/problems.ts';
import { VirtualLoop } from '../../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../../world/loop/virtual-process-scope.ts';
import { virtualTime } from '../../../../world/time/virtual-time.ts';
import { newVehicle } from '../../../support/store/store-rows.ts';

const REVISION = 78;
const PARKING: FeatureInForce = {
  revision: 70,
  status: 'ACTIVE',
  parameters: { enabled: false },
  modifiedMs: 1,
};
const TRACKING: FeatureInForce = { revision: 71, status: 'ACTIVE', parameters: {}, modifiedMs: 2 };
const IN_FORCE: VehicleConfiguration = {
  revision: 77,
  features: { 'parking-events': PARKING, tracking: TRACKING },
};

let store: SqliteStore;
beforeEach(async () => {
  store = openSqliteStore(':memory:');
  await store.vehicles.save(newVehicle());
});
afterEach(() => store.close());

/** What the box is asked for, and what comes of it, where the dispatcher answers like this. */
async function applied(
  change: { readonly features: Parameters<ReturnType<typeof makeConfigurator>['apply']>[0]['features'] } & {
    readonly bulkJobId?: string;
  },
  answer: CommandAnswer = { done: true, status: undefined, state: undefined },
) {
  const orders: (CommandOrder | RefusedOrder)[] = [];
  const configurator = makeConfigurator({
    world: { time: virtualTime(new VirtualLoop(), new ProcessScope('service')) },
    store: {
      begin: () => Promise.resolve({ revision: REVISION, inForce: IN_FORCE }),
      read: () => Promise.resolve(IN_FORCE),
    },
    dispatcher: {
      execute: (order) => {
        orders.push(order);
        return Promise.resolve(answer);
      },
    },
    models: { findModel: () => undefined },
  });
  const vehicle = await store.vehicles.find('VEH01');
  if (vehicle === undefined) throw new Error('it was saved');
  const result = await configurator.apply({ vehicle, flowId: 'flow', callerFleetId: 'FLEET1', ...change });
  const request = orders[0]?.request;
  return { result, order: request !== undefined && 'order' in request ? request.order : undefined };
}

describe('the order for a box', () => {
  const features = { tracking: { time_interval_in_seconds: 5 }, 'damage-detection': null };

  test('changes what is asked for, keeps the rest, and stands on what was in force', async () => {
    expect((await applied({ features })).order).toEqual({
      revision: REVISION,
      basedOn: IN_FORCE.revision,
      features,
      calibrates: ['damage-detection'],
      kept: { 'parking-events': PARKING },
    });
  });

  test('names the job that it is an attempt of, which a late reply then settles', async () => {
    expect((await applied({ features, bulkJobId: 'JOB' })).order?.bulkJobId).toBe('JOB');
  });
});

describe('a configuration that a box did not confirm', () => {
  const refusal = problem('no-connection', 'Of the command.');
  const detailAfter = async (outcome: 'expired' | 'open' | 'unknown') => {
    const { result } = await applied({ features: { tracking: {} } }, { done: false, refusal, outcome });
    return result.done ? undefined : result.refusal;
  };

  test('is unchanged once its request has expired', async () => {
    expect(await detailAfter('expired')).toMatchObject({
      problem: 'no-connection',
      detail: expect.stringContaining('Its configuration is unchanged.'),
    });
  });

  test.each(['open', 'unknown'] as const)('is in doubt while the request is %s', async (outcome) => {
    expect(await detailAfter(outcome)).toMatchObject({
      problem: 'no-connection',
      detail: expect.stringContaining('is not known until it answers'),
    });
  });

  test('is refused as the command is where the box was not asked', async () => {
    const busy = problem('conflicting-command', 'Another one is open.');
    const { result } = await applied({ features: { tracking: {} } }, { done: false, refusal: busy });
    expect(result).toEqual({ done: false, refusal: busy });
  });
});

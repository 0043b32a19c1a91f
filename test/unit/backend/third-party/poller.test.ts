import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { makerLimits } from '../../../../backend/base/limits.ts';
import { openSqliteStore, type SqliteStore } from '../../../../backend/store/sqlite/store.ts';
import type { MakerClient, MakerReply } from '../../../../backend/third-party/client.ts';
import { northwind } from '../../../../backend/third-party/northwind.ts';
import { type Poller, startPoller } from '../../../../backend/third-party/poller.ts';
import { sleep } from '../../../../world/time/time.ts';
import {
  openVirtualWorld,
  type ProcessInstance,
  type VirtualWorld,
} from '../../../../world/virtual-world.ts';
import { linkMakerVehicle } from '../../../support/store/store-rows.ts';

const VEHICLES = 30;
const refused: MakerReply = { kind: 'refused', meaning: 'unknown-vehicle', detail: 'unknown' };

describe('pollers of several backends on one store', () => {
  let world: VirtualWorld;
  let store: SqliteStore;
  let pollers: Poller[];
  /** Every poll: of which vehicle, by which backend, and when. */
  let polls: { readonly vehicle: string; readonly by: string; readonly atMs: number }[];
  beforeEach(async () => {
    world = openVirtualWorld({ seed: 1 });
    store = openSqliteStore(':memory:');
    pollers = [];
    polls = [];
    for (let index = 0; index < VEHICLES; index += 1)
      await linkMakerVehicle(store.vehicles, {
        id: `VEH${index}`,
        fleetId: 'FLEET1',
        telematics: { maker: { name: northwind.name, vehicleId: `car_${index}` } },
        model: 'electric-estate',
        setupStatus: 'SUCCEEDED',
        masterData: {},
        customFields: {},
        tags: [],
        atMs: world.time.nowMs(),
      });
  });
  afterEach(async () => {
    for (const poller of pollers) poller.sever();
    await store.close();
  });

  function start(by: string, takesMs = 100): ProcessInstance {
    const instance = world.instance(by);
    const client: MakerClient = {
      maker: northwind,
      async ask(vehicle) {
        polls.push({ vehicle, by, atMs: world.time.nowMs() });
        await sleep(instance.time, takesMs);
        return { kind: 'report', report: { makerVehicleId: vehicle, takenMs: 1, properties: {} } };
      },
      act: () => Promise.resolve(refused),
      subscribe: () => Promise.resolve(undefined),
      readNotification: () => ({ ok: false, fault: 'none' }),
    };
    pollers.push(
      startPoller({
        world: instance,
        store: store.thirdParty,
        clients: new Map([[northwind.name, client]]),
        receiveReport: () => Promise.resolve('known'),
        counters: makeCounters(),
      }),
    );
    return instance;
  }
  const pollsOf = (vehicle: string) => polls.filter((poll) => poll.vehicle === vehicle);

  test('poll each vehicle once a minute, and share the work', async () => {
    start('one');
    start('two');
    await world.runFor(10 * makerLimits.pollMs);
    for (let index = 0; index < VEHICLES; index += 1) {
      const times = pollsOf(`car_${index}`).map(({ atMs }) => atMs);
      expect(times.length).toBeGreaterThanOrEqual(9);
      for (const [at, atMs] of times.entries())
        if (at > 0) expect(atMs - (times[at - 1] ?? 0)).toBeGreaterThanOrEqual(makerLimits.pollMs);
    }
    expect(new Set(polls.map(({ by }) => by))).toEqual(new Set(['one', 'two']));
  });

  test('take over the vehicles of one that died while it polled them, when its leases end', async () => {
    const dying = start('dying', makerLimits.leaseMs);
    await world.runFor(1_000);
    expect(polls).toHaveLength(makerLimits.pollsInFlight);
    const lost = polls.map(({ vehicle }) => vehicle);
    dying.kill();
    start('other');
    await world.runFor(makerLimits.leaseMs - 2_000);
    for (const vehicle of lost) expect(pollsOf(vehicle)).toHaveLength(1);
    await world.runFor(2_000 + makerLimits.lookMs);
    for (const vehicle of lost) expect(pollsOf(vehicle).map(({ by }) => by)).toEqual(['dying', 'other']);
  });
});

import { describe, expect, test } from 'vitest';
import type { CheckScope } from '../../judge/rules/check.ts';
import { CHECKS } from '../../judge/rules/checks.ts';
import { topics } from '../../protocol/topics.ts';
import { planOf } from '../../scenarios/run/run.ts';
import { sleep } from '../../world/time/time.ts';
import { parsedScenario, playAndInspect } from '../support/simulation/play-scenario.ts';

const FLEET = `
name: not-settled
about: Three cars stand; the box of a fourth one is on the shelf.
seed: 4
fleet:
  - { count: 3, features: none, driving: false }
  - { as: shelf, count: 1, on_shelf: true, driving: false }
steps:
  - { at: 1m, on: { box: 1 }, expect: { connected: true } }
`;

const pendingItems = (
  pending: readonly { readonly what: string; readonly vehicle?: { readonly number: number } }[],
) => pending.map(({ what, vehicle }) => [vehicle?.number, what]);

describe('a pending item', () => {
  test('is a setup without an end', async () => {
    const [before, after] = await playAndInspect(FLEET, async (evidence, testbed) => {
      const vehicle = testbed.vehicles[3];
      if (vehicle?.boxId === undefined) throw new Error('There is no shelf.');
      const body = { telematics_unit: { id: vehicle.boxId }, vehicle_model: vehicle.model };
      const answer = await testbed.ask({ method: 'POST', path: '/vehicles', body, as: 'owner' });
      testbed.setVehicleId(vehicle, (answer.body as { readonly id: string }).id);
      const first = await evidence.pending();
      await sleep(testbed.time, 40 * 60_000);
      return [first, await evidence.pending()] as const;
    });
    expect(pendingItems(before)).toEqual([[4, 'the setup of the vehicle']]);
    expect(pendingItems(after)).toEqual([]);
  });

  test('is a vehicle that the service considers disconnected while its box is ready', async () => {
    const [before, after] = await playAndInspect(FLEET, async (evidence, testbed) => {
      const first = await evidence.pending();
      await testbed.service.store.ingest.forgetConnections(testbed.time.nowMs());
      return [first, await evidence.pending()] as const;
    });
    expect(pendingItems(before)).toEqual([]);
    expect(pendingItems(after)).toEqual(
      [1, 2, 3].map((number) => [number, 'the life status of the vehicle']),
    );
  });
});

describe('a fault that is planted in a run is found', () => {
  /** The findings of that checker after `plant` was applied to the run. */
  const foundBy = (
    checker: keyof typeof CHECKS,
    plant: (testbed: Parameters<Parameters<typeof playAndInspect>[1]>[1]) => Promise<void>,
  ) =>
    playAndInspect(FLEET, async (evidence, testbed) => {
      await sleep(testbed.time, 60_000);
      await plant(testbed);
      await sleep(testbed.time, 60_000);
      const { vehicles } = testbed;
      const scope: CheckScope = {
        plan: planOf(parsedScenario(FLEET)),
        vehicles,
        evidence,
        testbed,
        facts: [],
        factsDropped: 0,
        unhealed: [],
      };
      return (await CHECKS[checker](scope)).findings.map(({ text }) => text);
    });

  test('bytes that the service cannot read', async () => {
    const found = await foundBy('nothing-lost', async (testbed) => {
      const [vehicle] = testbed.vehicles;
      const boxId = vehicle?.boxId ?? '';
      const { mqtt } = testbed.virtualWorld.instance('somebody');
      const session = await mqtt.open(
        {
          clientId: boxId,
          username: boxId,
          password: vehicle?.boxPlan?.secret ?? '',
          clean: false,
          keepAliveS: 60,
          connectTimeoutMs: 10_000,
        },
        { message: () => undefined, closed: () => undefined },
      );
      const payload = Uint8Array.of(1, 2, 3);
      await session.publish({ topic: topics.up(boxId), payload, retain: false });
    });
    expect(found).toEqual([expect.stringContaining('bytes in quarantine: vehicle 1')]);
  });

  test('a configuration without a result', async () => {
    const found = await foundBy('one-result-per-vehicle', async (testbed) => {
      const { token = '' } = await testbed.token('owner');
      const path = `/vehicles/${testbed.vehicles[0]?.vehicleId}/telematics-unit/feature-configuration/tracking`;
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const body = JSON.stringify({ time_interval_in_seconds: 33 });
      // Past the recording of calls.
      const answer = await testbed.service.fetch(
        new Request(`http://service.virtual${path}`, { method: 'PUT', headers, body }),
      );
      expect(answer?.status).toBe(200);
    });
    expect(found).toEqual([
      expect.stringMatching(/^in force otherwise than told: vehicle 1 .*33.* it is null$/),
    ]);
  });

  test('a box with another setting than the stored one', async () => {
    const found = await foundBy('one-result-per-vehicle', async (testbed) => {
      const [vehicle] = testbed.vehicles;
      const path = `/vehicles/${vehicle?.vehicleId}/telematics-unit/feature-configuration/tracking`;
      const asked = { method: 'PUT', path, body: { time_interval_in_seconds: 33 }, as: 'owner' };
      expect((await testbed.ask(asked)).status).toBe(200);
      const { configuration } = testbed.service.store;
      const { read } = configuration;
      Object.assign(configuration, {
        read: async (boxId: string) => ({ ...(await read.call(configuration, boxId)), revision: 7 }),
      });
    });
    expect(found[0]).toMatch(/^in force otherwise: vehicle 1 .* and on record is 7$/);
  });
});

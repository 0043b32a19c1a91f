import { expect, test } from 'vitest';
import { readScenario } from '../../scenarios/language/document/read.ts';
import { toDocument } from '../../scenarios/language/document/to-document.ts';
import { runVirtual } from '../../scenarios/run/run-virtual.ts';
import type { FleetBox } from '../../simulator/box/fleet-box.ts';
import { sleep } from '../../world/time/time.ts';
import { TestFleet } from '../support/simulation/test-fleet.ts';

const median = (values: readonly number[]) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/** Lets a small fleet drive, and calls while it does. */
async function withFleet<T>(
  radio: 'road' | 'ideal',
  seed: number,
  play: (scene: TestFleet) => Promise<T>,
): Promise<T> {
  return TestFleet.play({ seed, vehicles: 6, radio, features: 'demo' }, async (fleet) => {
    await sleep(fleet.world.time, 60_000);
    return play(fleet);
  });
}

async function command(fleet: TestFleet, box: FleetBox, name: string, token: string) {
  const { time } = fleet.world;
  const beganMs = time.nowMs();
  const response = await fleet.call('POST', `/vehicles/${box.plan.vehicleId}/commands/${name}`, token);
  const problem = (await response.json()) as { type?: string; detail?: string };
  return { status: response.status, tookMs: time.nowMs() - beganMs, ...problem };
}

test('commands have realistic durations: medians between 0.3 and 1.5 s, locking a parked vehicle takes longer than the state of a driving one', async () => {
  const medians = async (radio: 'road' | 'ideal') =>
    withFleet(radio, 1, async (fleet) => {
      const took = { 'request-vehicle-state': [] as number[], 'unlock-central-lock': [] as number[] };
      const token = await fleet.token();
      const boxes = fleet.boxes;
      for (let round = 0; round < 25; round += 1) {
        for (const [box, name] of [
          [boxes[0], 'request-vehicle-state'],
          [boxes[2], 'unlock-central-lock'],
        ] as const) {
          if (box === undefined) throw new Error('no box');
          const { status, tookMs } = await command(fleet, box, name, token);
          if (status === 200) took[name].push(tookMs);
        }
        await sleep(fleet.world.time, 40_000);
      }
      return [median(took['request-vehicle-state']), median(took['unlock-central-lock'])] as const;
    });
  const [state, lock] = await medians('road');
  expect(state).toBeGreaterThan(300);
  expect(lock).toBeGreaterThan(state + 200);
  expect(lock).toBeLessThan(1_500);
  const [idealState, idealLock] = await medians('ideal');
  expect(Math.max(idealState, idealLock)).toBeLessThan(300);
});

test('a command to a vehicle out of coverage times out; one to a vehicle whose coverage was removed is refused as not connected', async () => {
  await withFleet('road', 3, async (fleet) => {
    const { time } = fleet.world;
    const boxes = fleet.boxes;
    const isLost = (box: FleetBox) =>
      box.truth()['hasCoverage'] === false && box.snapshot()['session'] === 'down';
    let lost: FleetBox | undefined;
    for (let second = 0; second < 7_200 && lost === undefined; second += 1) {
      await sleep(time, 1_000);
      lost = boxes.find(isLost);
    }
    if (lost === undefined) throw new Error('nobody has driven out of reach');
    const token = await fleet.token();
    await sleep(time, 1_000);
    expect(await command(fleet, lost, 'request-vehicle-state', token)).toMatchObject({
      status: 504,
      type: '/problems/vehicle/no-connection',
      detail: expect.stringContaining('did not answer in time'),
    });
    const [, , parked] = boxes;
    if (parked === undefined) throw new Error('no box');
    parked.setCoverage(false);
    await sleep(time, 1_000);
    expect(await command(fleet, parked, 'request-vehicle-state', token)).toMatchObject({
      status: 504,
      type: '/problems/vehicle/no-connection',
      tookMs: 0,
      detail: expect.stringContaining('did not connect'),
    });
  });
});

const FILE = (radio: string) => `
name: road
about: A fleet drives for an hour.
seed: 5
fleet:
  - { count: 6, driving: true${radio} }
  - { as: parked, count: 2, driving: false${radio} }
steps:
  - { at: 40m, on: parked, call: { command: request-vehicle-state }, expect: { status: 200 } }
always: [nothing-lost, nothing-doubled, order-per-box, twin-is-fold, commands-at-most-once]
limits: { duration: 1h }
`;

async function played(text: string) {
  const reading = readScenario(text, 'road.yaml');
  if (!reading.ok) throw new Error(reading.problems[0]?.message);
  return { scenario: reading.scenario, outcome: await runVirtual(reading.scenario) };
}

test('a scenario can use the road radio: nothing is lost, and the same seed gives the same run; by default the radio is ideal', async () => {
  const road = await played(FILE(', radio: road'));
  expect(road.outcome).toMatchObject({ verdict: 'passed' });
  expect((await played(FILE(', radio: road'))).outcome.hash).toBe(road.outcome.hash);
  expect(road.scenario.fleet[0]).toMatchObject({ radio: 'road' });
  expect(toDocument(road.scenario)).toMatchObject({ fleet: [{ radio: 'road' }, { radio: 'road' }] });
  const plain = await played(FILE(''));
  const ideal = await played(FILE(', radio: ideal'));
  expect(plain.scenario.fleet[0]).not.toHaveProperty('radio');
  expect(ideal.outcome.hash).toBe(plain.outcome.hash);
  expect(road.outcome.hash).not.toBe(plain.outcome.hash);
  const wrong = readScenario(FILE(', radio: rod'), 'road.yaml');
  expect(wrong.ok ? '' : wrong.problems[0]?.message).toContain('radio');
});

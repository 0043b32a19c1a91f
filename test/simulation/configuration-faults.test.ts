import { expect, test } from 'vitest';
import { FEATURES, type Feature } from '../../backend/configuration/features.ts';
import type { FeatureInForce } from '../../backend/store/port/configuration-store.ts';
import { SETTINGS } from '../../protocol/settings.ts';
import type { FleetBox } from '../../simulator/box/fleet-box.ts';
import type { Stream } from '../../world/random/random.ts';
import { runInSandbox } from '../../world/sandbox/virtual-sandbox.ts';
import { TestFleet } from '../support/simulation/test-fleet.ts';
import { NetworkSwitches } from '../support/world/network-switches.ts';

/** What became of it. */
interface ConfigurationFaultsResult {
  /** Answers to PUT and DELETE, by status. */
  readonly answers: Readonly<Record<string, number>>;
  /** Sentences about what went wrong; empty when nothing did. */
  readonly findings: readonly string[];
  readonly hash: string;
}

const HEAL_MS = 5 * 60_000;
/** 404: the vehicle was offboarded meanwhile. */
const HONEST_STATUSES: readonly number[] = [200, 204, 404, 409, 504];

/**
 * Features of a small fleet are put and deleted while links are cut, boxes reset, answers come late and the service
 * crashes; now and then a box goes into another vehicle. Then everything settles, and what the service shows is
 * compared with what the boxes have.
 */
function runConfigurationFaults(seed: number, steps: number): Promise<ConfigurationFaultsResult> {
  const fleet = new TestFleet({ seed, vehicles: 5 });
  return runInSandbox(fleet.world, () => fleet.world.run(() => play(fleet, steps)));
}

async function play(fleet: TestFleet, steps: number): Promise<ConfigurationFaultsResult> {
  const { world } = fleet;
  const switches = new NetworkSwitches(world.networkFaults);
  const chance = world.random.stream('configuration-hour');
  const answers: Record<string, number> = {};
  const findings: string[] = [];
  const wait = (durationMs: number) =>
    new Promise<void>((resolve) => {
      world.time.alarm(world.time.nowMs() + durationMs, resolve);
    });
  await fleet.raise();
  await wait(5_000);
  const boxes: Subject[] = fleet.boxes.map((box) => ({
    box,
    vehicleId: box.plan.vehicleId,
  }));
  for (let step = 0; step < steps; step += 1) {
    await wait(chance.whole(10, 15_000));
    const subject = chance.pick(boxes);
    const { box } = subject;
    const what = chance.whole(0, 99);
    if (what < 60) {
      order(fleet, chance, subject, answers, findings);
      // With such a way the box still does it in time, and its reply comes late.
      if (chance.whole(0, 2) === 0) {
        const { boxId } = box.plan;
        const delayMs = chance.whole(5_000, 18_000);
        const endLatency = world.networkFaults.apply('latency', boxId, { delayMs, jitterMs: 0 });
        await wait(chance.whole(5_000, 60_000));
        endLatency();
      }
    } else if (what < 70) box.cutConnection();
    else if (what < 78) box.setCoverage(chance.whole(0, 1) === 1);
    else if (what < 84) box.reset('WATCHDOG');
    else if (what < 88) box.brownOut();
    else if (what < 91) await moveOn(fleet, subject, answers);
    else if (what < 96) switches.halfOpen(box.plan.boxId, chance.whole(0, 1) === 1);
    else {
      fleet.crashService();
      await wait(chance.whole(100, 10_000));
      await fleet.restartService();
    }
  }
  for (const { box } of boxes) {
    box.setCoverage(true);
    switches.halfOpen(box.plan.boxId, false);
  }
  await wait(HEAL_MS);
  for (const subject of boxes) findings.push(...(await differences(fleet, subject)));
  await fleet.close();
  return { answers, findings, hash: world.hash() };
}

/** A box, and the vehicle that it is in at present. */
interface Subject {
  readonly box: FleetBox;
  vehicleId: string;
}

/** The box leaves its vehicle and comes into the next one. */
async function moveOn(fleet: TestFleet, subject: Subject, answers: Record<string, number>): Promise<void> {
  const { boxId, model } = subject.box.plan;
  const token = await fleet.token();
  await fleet.call('DELETE', `/vehicles/${subject.vehicleId}`, token);
  const body = JSON.stringify({ telematics_unit: { id: boxId }, vehicle_model: model });
  const answer = await fleet.call('POST', '/vehicles', token, body);
  const vehicle: unknown = await answer.json();
  if (answer.status !== 201 || typeof vehicle !== 'object' || vehicle === null || !('id' in vehicle))
    throw new Error(`The box could not move on: ${answer.status}`);
  subject.vehicleId = String(vehicle.id);
  answers['moved'] = (answers['moved'] ?? 0) + 1;
}

/** A PUT or a DELETE whose answer may come much later, or never when the service crashes meanwhile. */
function order(
  fleet: TestFleet,
  chance: Stream,
  subject: Subject,
  answers: Record<string, number>,
  findings: string[],
): void {
  const feature = chance.pick(FEATURES);
  const isPut = chance.whole(0, 3) > 0;
  const path = pathOf(feature, subject);
  const body = isPut ? JSON.stringify(someBody(feature, chance)) : undefined;
  fleet
    .token()
    .then((token) => fleet.call(isPut ? 'PUT' : 'DELETE', path, token, body))
    .then(
      ({ status }) => {
        answers[status] = (answers[status] ?? 0) + 1;
        if (!HONEST_STATUSES.includes(status)) findings.push(`${path} was answered with ${status}`);
      },
      (error: unknown) => findings.push(`${path} failed with ${String(error)}`),
    );
}

function pathOf(feature: Feature, { vehicleId }: Subject): string {
  return feature.path.replace('{id}', vehicleId);
}

/** One parameter of each sort, so that every PUT differs from the last. */
function someBody({ name }: Feature, chance: Stream): Record<string, unknown> {
  switch (name) {
    case 'tracking':
      return { time_interval_in_seconds: chance.whole(5, 3600) };
    case 'driving-events':
      return { crash_detection: { data_gathering_duration_in_seconds: chance.whole(1, 60) } };
    case 'damage-detection':
      return { sensitivity: chance.pick(['LOW', 'MEDIUM', 'HIGH']) };
    case 'smoke-detection':
      return { minimum_duration_in_seconds: chance.whole(1, 600) };
    case 'parking-events':
      return { enabled: chance.whole(0, 1) === 1 };
    case 'auto-immobilizer-control':
      return { delay_in_seconds: chance.whole(0, 600) };
    case 'box-settings':
      return {
        standby_report_interval_in_seconds: chance.whole(60, 86_400),
        ble_enabled: chance.whole(0, 1) === 1,
        obd_alarm: { enabled: chance.whole(0, 1) === 1 },
      };
    default:
      return name satisfies never;
  }
}

/** Where the service and a box disagree. */
async function differences(fleet: TestFleet, subject: Subject): Promise<string[]> {
  const { box, vehicleId } = subject;
  const { boxId } = box.plan;
  const findings: string[] = [];
  const isSetUp = (await fleet.store.vehicles.find(vehicleId))?.setupStatus === 'SUCCEEDED';
  const inForce = await fleet.store.configuration.read(boxId);
  const token = await fleet.token();
  const expected: Record<string, unknown> = { revision: inForce.revision };
  for (const { name, standard } of SETTINGS) expected[name] = standard;
  for (const feature of FEATURES) {
    const stored: FeatureInForce | undefined = inForce.features[feature.name];
    const answer = await fleet.call('GET', pathOf(feature, subject), token);
    const shown = JSON.stringify(await answer.json());
    const should = JSON.stringify(
      stored === undefined || !isSetUp
        ? { status: 'INACTIVE' }
        : {
            status: stored.status,
            parameters: stored.parameters,
            modified_at: new Date(stored.modifiedMs).toISOString().replace(/\.\d+Z$/, 'Z'),
          },
    );
    if (shown !== should) findings.push(`${vehicleId} shows ${feature.name} as ${shown}, not ${should}`);
    if (stored === undefined) continue;
    for (const { name, value } of feature.settings(stored.parameters, stored.revision))
      expected[name] = value;
  }
  const belief = box.snapshot();
  if (JSON.stringify(sorted(belief['configuration'])) !== JSON.stringify(sorted(expected)))
    findings.push(
      `${vehicleId} shows ${JSON.stringify(sorted(expected))}, the box has ${JSON.stringify(sorted(belief['configuration']))}`,
    );
  const damage = inForce.features['damage-detection']?.status;
  const isActive = belief['damageDetection'] === 'on';
  if (isActive !== (damage === 'ACTIVE') || damage === 'ACTIVATING')
    findings.push(
      `${vehicleId} shows damage detection as ${damage}, the box says ${String(belief['damageDetection'])}`,
    );
  return findings;
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
}

test.each([1, 2, 3, 4, 5, 6])(
  'with seed %i the service shows the settings that the boxes have',
  async (seed) => {
    const { findings, answers } = await runConfigurationFaults(seed, 150);
    expect(findings).toEqual([]);
    // Some calls succeeded, some were refused, some got no answer: otherwise there were too few faults.
    expect(answers[200]).toBeGreaterThan(0);
    expect(answers[204]).toBeGreaterThan(0);
    expect(answers[409]).toBeGreaterThan(0);
    expect(answers[504]).toBeGreaterThan(0);
    expect(answers['moved']).toBeGreaterThan(0);
  },
  60_000,
);

test('repeated runs give identical results', async () => {
  const one = await runConfigurationFaults(7, 60);
  expect(await runConfigurationFaults(7, 60)).toEqual(one);
});

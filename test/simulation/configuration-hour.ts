import { FEATURES, type Feature } from '../../backend/configuration/features.ts';
import type { FeatureInForce } from '../../backend/store/configuration-store.ts';
import { SETTINGS } from '../../protocol/settings.ts';
import { Stage } from '../../scenarios/stage.ts';
import type { FleetBox } from '../../simulator/fleet.ts';
import type { Stream } from '../../world/random.ts';
import { runInSandbox } from '../../world/virtual-sandbox.ts';

/** What became of it. */
export interface ConfigurationHour {
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
 * crashes; now and then a box goes into another vehicle. Then everything settles, and what the service shows is compared
 * with what the boxes have.
 */
export function configurationHour(seed: number, steps: number): Promise<ConfigurationHour> {
  const stage = new Stage({ seed, vehicles: 5, isUnconfigured: true });
  return runInSandbox(stage.world, () => stage.world.run(() => play(stage, steps)));
}

async function play(stage: Stage, steps: number): Promise<ConfigurationHour> {
  const { world } = stage;
  const chance = world.random.stream('configuration-hour');
  const answers: Record<string, number> = {};
  const findings: string[] = [];
  const wait = (durationMs: number) =>
    new Promise<void>((resolve) => {
      world.time.alarm(world.time.nowMs() + durationMs, resolve);
    });
  await stage.raise();
  await wait(5_000);
  const boxes: Subject[] = [...stage.fleet.boxes.values()].map((box) => ({
    box,
    vehicleId: box.plan.vehicleId,
  }));
  for (let step = 0; step < steps; step += 1) {
    await wait(chance.whole(10, 15_000));
    const subject = chance.pick(boxes);
    const { box } = subject;
    const what = chance.whole(0, 99);
    if (what < 60) {
      order(stage, chance, subject, answers, findings);
      // With such a way the box still does it in time, and its reply comes late.
      if (chance.whole(0, 2) === 0) {
        const { boxId } = box.plan;
        world.weather.latency(boxId, { delayMs: chance.whole(5_000, 18_000), jitterMs: 0 });
        await wait(chance.whole(5_000, 60_000));
        world.weather.latency(boxId, undefined);
      }
    } else if (what < 70) box.cutLink();
    else if (what < 78) box.setCoverage(chance.whole(0, 1) === 1);
    else if (what < 84) box.reset('WATCHDOG');
    else if (what < 88) box.brownOut();
    else if (what < 91) await moveOn(stage, subject, answers);
    else if (what < 96) world.weather.halfOpen(box.plan.boxId, chance.whole(0, 1) === 1);
    else {
      stage.crashService();
      await wait(chance.whole(100, 10_000));
      await stage.restartService();
    }
  }
  for (const { box } of boxes) {
    box.setCoverage(true);
    world.weather.halfOpen(box.plan.boxId, false);
  }
  await wait(HEAL_MS);
  for (const subject of boxes) findings.push(...(await differences(stage, subject)));
  await stage.close();
  return { answers, findings, hash: world.hash() };
}

/** A box, and the vehicle that it is in at present. */
interface Subject {
  readonly box: FleetBox;
  vehicleId: string;
}

/** The box leaves its vehicle and comes into the next one. */
async function moveOn(stage: Stage, subject: Subject, answers: Record<string, number>): Promise<void> {
  const { boxId, model } = subject.box.plan;
  const token = await stage.token();
  await stage.call('DELETE', `/vehicles/${subject.vehicleId}`, token);
  const body = JSON.stringify({ telematics_unit: { id: boxId }, vehicle_model: model });
  const answer = await stage.call('POST', '/vehicles', token, body);
  const vehicle: unknown = await answer.json();
  if (answer.status !== 201 || typeof vehicle !== 'object' || vehicle === null || !('id' in vehicle))
    throw new Error(`The box could not move on: ${answer.status}`);
  subject.vehicleId = String(vehicle.id);
  answers['moved'] = (answers['moved'] ?? 0) + 1;
}

/** A PUT or a DELETE whose answer may come much later, or never when the service crashes meanwhile. */
function order(
  stage: Stage,
  chance: Stream,
  subject: Subject,
  answers: Record<string, number>,
  findings: string[],
): void {
  const feature = chance.pick(FEATURES);
  const isPut = chance.whole(0, 3) > 0;
  const path = pathOf(feature, subject);
  const body = isPut ? JSON.stringify(someBody(feature, chance)) : undefined;
  stage
    .token()
    .then((token) => stage.call(isPut ? 'PUT' : 'DELETE', path, token, body))
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
async function differences(stage: Stage, subject: Subject): Promise<string[]> {
  const { box, vehicleId } = subject;
  const { boxId } = box.plan;
  const findings: string[] = [];
  const isSetUp = (await stage.store.vehicles.find(vehicleId))?.setupStatus === 'SUCCEEDED';
  const inForce = await stage.store.configuration.read(boxId);
  const token = await stage.token();
  const expected: Record<string, unknown> = { revision: inForce.revision };
  for (const { name, standard } of SETTINGS) expected[name] = standard;
  for (const feature of FEATURES) {
    const stored: FeatureInForce | undefined = inForce.features[feature.name];
    const answer = await stage.call('GET', pathOf(feature, subject), token);
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
  const belief = box.belief();
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

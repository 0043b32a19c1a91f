import { expect, test } from 'vitest';
import { z } from 'zod';
import { TOPICS } from '../../contract/messages.ts';
import type { FleetBox } from '../../simulator/box/fleet-box.ts';
import { fromMilligravity } from '../../simulator/vehicle/forces.ts';
import type { Incident } from '../../simulator/vehicle/sensing/vehicle-ports.ts';
import type { Stream } from '../../world/random/random.ts';
import { runInSandbox } from '../../world/sandbox/virtual-sandbox.ts';
import { TestFleet } from '../support/simulation/test-fleet.ts';

/** What was caused, what was reported, and what differs. */
interface FeatureEventsResult {
  readonly caused: Readonly<Record<string, number>>;
  readonly reported: Readonly<Record<string, number>>;
  readonly findings: readonly string[];
}

const FEATURES = {
  tracking: {},
  'driving-events': {},
  'parking-events': {},
  'damage-detection': { sensitivity: 'HIGH' },
  'smoke-detection': {},
} as const;
const QUIET_MS = 90_000;
/** A driver who is to take a bend sharply has yet to get there. */
const DRIVE_MS = 6 * 60_000;
/** A maneuver waits for the street to allow it. */
const MANEUVER_MS = 25 * 60_000;

interface Caused {
  readonly vehicleId: string;
  readonly what: string;
  readonly atMs: number;
  readonly untilMs: number;
  isReported: boolean;
}

const message = z.looseObject({
  metadata: z.looseObject({ message_type: z.string(), flow_id: z.string() }),
  data: z.looseObject({
    vehicle_id: z.string(),
    occurred_at: z.iso.datetime().optional(),
    received_at: z.iso.datetime(),
    kind: z.string().optional(),
  }),
});

/**
 * A fleet with every feature on has a day with occasional incidents, half of them out of
 * coverage. In the end each of them must be in exactly one message, with the time at which it happened.
 */
function runFeatureEvents(seed: number, steps: number): Promise<FeatureEventsResult> {
  const fleet = new TestFleet({ seed, vehicles: 6 });
  return runInSandbox(fleet.world, () => fleet.world.run(() => play(fleet, steps)));
}

async function play(fleet: TestFleet, steps: number): Promise<FeatureEventsResult> {
  const { world } = fleet;
  const chance = world.random.stream('features-day');
  const wait = (durationMs: number) =>
    new Promise<void>((resolve) => {
      world.time.alarm(world.time.nowMs() + durationMs, resolve);
    });
  await fleet.raise();
  await wait(10_000);
  const subjects: Subject[] = [];
  for (const box of fleet.boxes) subjects.push({ box, has: await configured(fleet, box) });
  // Until damage detection is calibrated.
  await wait(90_000);
  const caused: Caused[] = [];
  for (let step = 0; step < steps; step += 1) {
    const subject = chance.pick(subjects);
    const isOffline = chance.whole(0, 1) === 0;
    if (isOffline) subject.box.setCoverage(false);
    await wait(chance.whole(1_000, 30_000));
    const happened = happening(subject, chance);
    const atMs = world.time.nowMs();
    // A maneuver is done where the street allows it.
    const { box } = subject;
    for (let waitedMs = 0; box.truth()['maneuver'] !== null && waitedMs < MANEUVER_MS; waitedMs += 10_000)
      await wait(10_000);
    await wait(happened?.name.startsWith('DrivingEventDetected H') === true ? DRIVE_MS : QUIET_MS);
    if (happened?.isExpected === true)
      caused.push({
        vehicleId: subject.box.plan.vehicleId,
        what: happened.name,
        atMs,
        untilMs: world.time.nowMs(),
        isReported: false,
      });
    if (isOffline) box.setCoverage(true);
    if (box.plan.driving) {
      if (chance.whole(0, 3) === 0) box.park();
      else box.drive();
    }
    await wait(chance.whole(30_000, 240_000));
  }
  await wait(10 * 60_000);
  const verdict = judge(fleet, caused);
  await fleet.close();
  return verdict;
}

interface Subject {
  readonly box: FleetBox;
  readonly has: ReadonlySet<string>;
}

async function configured(fleet: TestFleet, box: FleetBox): Promise<ReadonlySet<string>> {
  const has = new Set<string>();
  for (const [feature, parameters] of Object.entries(FEATURES)) {
    const path = `/vehicles/${box.plan.vehicleId}/telematics-unit/feature-configuration/${feature}`;
    const answer = await fleet.call('PUT', path, await fleet.token(), JSON.stringify(parameters));
    if (answer.status === 200) has.add(feature);
    else if (answer.status !== 409) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  }
  return has;
}

interface Happened {
  readonly name: string;
  readonly isExpected: boolean;
}

/** Something happens, above its threshold or below it. */
function happening({ box, has }: Subject, chance: Stream): Happened | undefined {
  const truth = box.truth();
  const isDriving = truth['ignitionOn'] === true;
  const isEnough = chance.whole(0, 2) > 0;
  const suffer = (incident: Incident, name: string, feature: string): Happened => {
    box.applyIncident(incident);
    return { name, isExpected: isEnough && has.has(feature) };
  };
  switch (chance.whole(0, 3)) {
    case 0: {
      const smoke = { concentrationUgPerM3: isEnough ? 150 : 149, durationMs: 30_000 };
      return suffer({ what: 'smoke', ...smoke }, 'SmokeDetected', 'smoke-detection');
    }
    case 1: {
      const bump = { strengthMg: isEnough ? 300 : 299, side: 'rear' } as const;
      return suffer({ what: 'bump', ...bump }, 'DamageDetected', 'damage-detection');
    }
    case 2: {
      if (isDriving) {
        const blow = { accelerationMg: isEnough ? 2_500 : 2_499, durationMs: 30, direction: 'left' } as const;
        return suffer({ what: 'impact', ...blow }, 'DrivingEventDetected CRASH', 'driving-events');
      }
      const knock = { accelerationMg: isEnough ? 250 : 249, durationMs: 40, direction: 'left' } as const;
      return suffer({ what: 'impact', ...knock }, 'ParkingEventDetected SHOCK', 'parking-events');
    }
    default: {
      if (!isDriving) {
        if (truth['driverWish'] === 'drive') return undefined;
        const tow = { distanceM: isEnough ? 200 : 40, lifted: false };
        return suffer({ what: 'tow', ...tow }, 'ParkingEventDetected TOWING', 'parking-events');
      }
      const rateMps2 = fromMilligravity(isEnough ? 460 : 440);
      const isBraking = chance.whole(0, 2) === 0;
      const what = isBraking ? 'heavy-braking' : 'harsh-cornering';
      if (!box.maneuver({ what, rateMps2 })) return undefined;
      const kind = isBraking ? 'HEAVY_BRAKING' : 'HARSH_CORNERING';
      const isExpected = isEnough && has.has('driving-events');
      return { name: `DrivingEventDetected ${kind}`, isExpected };
    }
  }
}

function judge(fleet: TestFleet, caused: readonly Caused[]): FeatureEventsResult {
  const findings: string[] = [];
  const reported: Record<string, number> = {};
  for (const { topic } of TOPICS) {
    if (topic === 'VehicleState_v1') continue;
    for (const { body } of fleet.messages(topic)) {
      const { metadata, data } = message.parse(body);
      const kind = data.kind === undefined ? '' : ` ${data.kind}`;
      const what = `${metadata.message_type.replace('service.', '')}${kind}`;
      reported[what] = (reported[what] ?? 0) + 1;
      const atMs = Date.parse(data.occurred_at ?? '');
      const cause = caused.find(
        (one) =>
          one.what === what &&
          one.vehicleId === data.vehicle_id &&
          !one.isReported &&
          // Whole seconds, and the clock of a box is off a little.
          atMs >= one.atMs - 2_000 &&
          atMs <= one.untilMs,
      );
      if (cause === undefined)
        findings.push(`${what} of ${data.vehicle_id} at ${data.occurred_at} has no cause`);
      else cause.isReported = true;
    }
  }
  for (const { what, vehicleId, atMs, isReported } of caused)
    if (!isReported)
      findings.push(`${what} of ${vehicleId} at ${new Date(atMs).toISOString()} is not reported`);
  const counts: Record<string, number> = {};
  for (const { what } of caused) counts[what] = (counts[what] ?? 0) + 1;
  return { caused: counts, reported, findings };
}

test('on a day with every feature enabled, each incident is reported once, with its time, and nothing else is reported', async () => {
  const { caused, reported, findings } = await runFeatureEvents(7, 140);
  expect(findings).toEqual([]);
  expect(reported).toEqual(caused);
  expect(new Set(Object.keys(caused))).toEqual(
    new Set([
      'DamageDetected',
      'DrivingEventDetected CRASH',
      'DrivingEventDetected HARSH_CORNERING',
      'DrivingEventDetected HEAVY_BRAKING',
      'ParkingEventDetected SHOCK',
      'ParkingEventDetected TOWING',
      'SmokeDetected',
    ]),
  );
}, 120_000);

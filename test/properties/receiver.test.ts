import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { signalQuality } from '../../backend/vehicles/box-properties.ts';
import type { GnssFix } from '../../protocol/signals.ts';
import { distanceM, turnDegrees } from '../../simulator/arithmetic.ts';
import { type Motion, readingOf, receiverNoiseOf } from '../../simulator/gnss/receiver.ts';
import { receptionAt } from '../../simulator/gnss/reception.ts';
import { type Sky, spotAt } from '../../simulator/routes/route.ts';
import { ROUTES } from '../../simulator/routes/routes.ts';
import { SENSOR_ERRORS } from '../../simulator/vehicle/sensor-errors.ts';
import type { KeptVehicle } from '../../simulator/vehicle/vehicle.ts';
import { seededRandom } from '../../world/seeded-random.ts';
import { anyStep, anyVehicle, happen, START_MS, vehicleOf } from './vehicles.ts';

const anyAtMs = fc.integer({ min: START_MS, max: START_MS + 400 * 86_400_000 });
const anyMotion: fc.Arbitrary<Motion> = fc
  .record({
    route: fc.constantFrom(...ROUTES.values()),
    wayM: fc.double({ min: 0, max: 1e6, noNaN: true }),
    speedMps: fc.double({ min: 0, max: 45, noNaN: true }),
    atMs: anyAtMs,
    isAtRest: fc.boolean(),
  })
  .map(({ route, ...motion }) => ({ ...motion, spot: spotAt(route, motion.wayM) }));

const read = (seed: number, motion: Motion): GnssFix => {
  const noise = receiverNoiseOf(seededRandom(seed), 'box/one');
  return readingOf(motion, receptionAt(motion.spot, motion.atMs, noise.houses), noise);
};

/** How far readings are off, each beside its bound. */
function offsOf(fix: GnssFix, truth: { readonly [Name in keyof GnssFix]?: number }) {
  const { position, altitude_in_meters, heading_in_degrees, gnss_speed_over_ground_in_kph } = SENSOR_ERRORS;
  const { latitude = 0, longitude = 0, altitudeM = 0, headingDegrees = 0, speedKph = 0 } = truth;
  return [
    ['position', distanceM({ latitude, longitude }, fix), position.most],
    ['altitude', Math.abs(fix.altitudeM - altitudeM), altitude_in_meters.most],
    ['heading', Math.abs(turnDegrees(headingDegrees, fix.headingDegrees)), heading_in_degrees.most],
    ['speed', Math.abs(fix.speedKph - speedKph), gnss_speed_over_ground_in_kph.most],
  ] as const;
}

describe('a receiver', () => {
  test('is off by no more than its stated errors, and says the same when it is asked again', () => {
    fc.assert(
      fc.property(fc.integer(), anyMotion, (seed, motion) => {
        const fix = read(seed, motion);
        expect(read(seed, motion)).toEqual(fix);
        const { spot, isAtRest, speedMps } = motion;
        const speedKph = isAtRest && fix.quality !== 6 ? 0 : speedMps * 3.6;
        for (const [what, off, most] of offsOf(fix, { ...spot, speedKph }))
          expect(off, what).toBeLessThanOrEqual(most + 1e-6);
        expect(Math.abs(fix.latitude)).toBeLessThanOrEqual(90);
        expect(Math.abs(fix.longitude)).toBeLessThanOrEqual(180);
        expect(fix.headingDegrees >= 0 && fix.headingDegrees < 360).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is off by something, and by something else than another one', () => {
    const motion = { spot: spotAt([...ROUTES.values()][0] ?? never(), 500), wayM: 500, speedMps: 10 };
    const fixes = [1, 2, 3].map((seed) => read(seed, { ...motion, atMs: START_MS, isAtRest: false }));
    for (const fix of fixes) {
      expect(distanceM(motion.spot, fix)).toBeGreaterThan(0.01);
      expect(fix.speedKph).not.toBe(36);
      expect(fix.headingDegrees).not.toBe(motion.spot.headingDegrees);
    }
    expect(new Set(fixes.map(({ latitude }) => latitude)).size).toBe(3);
  });

  test('drifts: a second later it is off by nearly the same, some minutes later by something else', () => {
    const apart: Record<'second' | 'minutes', number> = { second: 0, minutes: 0 };
    for (let seed = 1; seed <= 60; seed += 1) {
      const spot = spotAt([...ROUTES.values()][seed % ROUTES.size] ?? never(), seed * 131);
      const at = (atMs: number) => read(seed, { spot, wayM: 9, speedMps: 0, atMs, isAtRest: false });
      const first = at(START_MS);
      apart.second += distanceM(first, at(START_MS + 1_000)) / 60;
      apart.minutes += distanceM(first, at(START_MS + 600_000)) / 60;
    }
    expect(apart.second).toBeLessThan(0.4);
    expect(apart.minutes).toBeGreaterThan(4 * apart.second);
  });

  test('has fewer satellites and a worse dilution between houses than below the open sky, and reckons on below a roof', () => {
    const means = (sky: Sky) => {
      let [satellites, hdop, count] = [0, 0, 0];
      for (let index = 0; index < 300; index += 1) {
        const spot = { ...spotAt([...ROUTES.values()][index % ROUTES.size] ?? never(), index * 97), sky };
        const reception = receptionAt(spot, START_MS + index * 300_000, 5);
        satellites += reception.satellites;
        hdop += reception.hdop;
        count += 1;
      }
      return { satellites: satellites / count, hdop: hdop / count };
    };
    const [open, canyon, covered] = [means('open'), means('canyon'), means('covered')];
    expect(open.satellites).toBeGreaterThan(canyon.satellites + 2);
    expect(canyon.satellites).toBeGreaterThan(covered.satellites + 2);
    expect(open.hdop).toBeLessThan(1.5);
    expect(canyon.hdop).toBeGreaterThan(open.hdop + 0.5);
    const [route] = ROUTES.values();
    const roof = { ...spotAt(route ?? never(), 100), sky: 'covered' as const };
    expect(receptionAt(roof, START_MS, 5)).toMatchObject({ quality: 6, hdop: 3.5 });
  });

  test('sees other satellites as the hours pass', () => {
    const spot = { ...spotAt([...ROUTES.values()][0] ?? never(), 0), sky: 'open' as const };
    const counts = Array.from(
      { length: 48 },
      (_, half) => receptionAt(spot, START_MS + half * 1_800_000, 5).satellites,
    );
    expect(new Set(counts).size).toBeGreaterThan(4);
  });
});

/** The signals of a vehicle beside its truth at the same moment. */
function compared(vehicle: KeptVehicle): void {
  const truth = vehicle.truth() as Record<string, number>;
  const senses = vehicle.sense();
  const { gnss } = senses.signals;
  if (gnss === undefined) throw new Error('no receiver');
  expect(gnss.quality).toBe(truth['gnssFixQuality']);
  expect(gnss.satellites).toBe(truth['gnssSatellites']);
  expect(gnss.hdop).toBe(truth['gnssHdop']);
  if (gnss.quality !== 0)
    for (const [what, off, most] of offsOf(gnss, truth)) expect(off, what).toBeLessThanOrEqual(most + 1e-6);
  const [really, measured] = [signalQuality(truth['csq'] ?? 0) ?? 0, signalQuality(senses.csq) ?? 0];
  expect(Math.abs(really - measured)).toBeLessThanOrEqual(SENSOR_ERRORS.cellular_signal_quality.most);
}

describe('a vehicle', () => {
  test('says nothing that is further from its truth than the table of sensor errors allows', () => {
    fc.assert(
      fc.property(
        anyVehicle,
        fc.constantFrom('road' as const, 'ideal' as const),
        fc.array(anyStep, { maxLength: 12 }),
        ({ seed, change }, radio, steps) => {
          const vehicle = vehicleOf(seed, { ...change, radio });
          let atMs = START_MS;
          for (const step of steps) {
            atMs = happen(vehicle, step, atMs);
            vehicle.advance(atMs);
            compared(vehicle);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test('that is parked says the same place hour after hour, and no speed', () => {
    fc.assert(
      fc.property(anyVehicle, fc.integer({ min: 1, max: 100 }), ({ seed, change }, hours) => {
        const vehicle = vehicleOf(seed, { ...change, driving: true });
        vehicle.advance(START_MS + 600_000);
        vehicle.park();
        vehicle.advance(START_MS + 660_000);
        const first = vehicle.sense().signals.gnss;
        vehicle.advance(START_MS + 660_000 + hours * 3_600_000);
        expect(vehicle.sense().signals.gnss).toEqual(first);
        expect(first?.quality === 6 || first?.speedKph === 0).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('that drives has a signal and a fix that change along the way, and a Doppler speed apart from that of its wheels', () => {
    const vehicle = vehicleOf(3, { route: 'berlin-west', driving: true });
    const qualities = new Set<number | undefined>();
    const satellites = new Set<number>();
    const fixes = new Set<number>();
    let [apart, looks] = [0, 0];
    for (let atMs = START_MS; atMs < START_MS + 1_800_000; atMs += 10_000) {
      vehicle.advance(atMs);
      const senses = vehicle.sense();
      const { gnss } = senses.signals;
      qualities.add(signalQuality(senses.csq));
      satellites.add(gnss?.satellites ?? -1);
      fixes.add(gnss?.quality ?? -1);
      if (senses.speedKph < 10) continue;
      looks += 1;
      if (gnss?.quality !== 6 && gnss?.speedKph !== senses.speedKph) apart += 1;
    }
    expect(qualities.size).toBeGreaterThanOrEqual(3);
    expect(satellites.size).toBeGreaterThan(6);
    expect(fixes).toEqual(new Set([1, 2, 6]));
    expect(apart / looks).toBeGreaterThan(0.9);
  });

  test('has one network in one world: two of them at one place differ by their antennas alone', () => {
    const [one, other] = [1, 2].map((index) => vehicleOf(8, { boxId: `box${index}`, route: 'berlin-west' }));
    const level = (vehicle: KeptVehicle | undefined) => Number(vehicle?.truth()['signalLevelDbm']);
    expect(Math.abs(level(one) - level(other))).toBeLessThanOrEqual(8);
    expect(level(vehicleOf(9, { boxId: 'box1', route: 'berlin-west' }))).not.toBe(level(one));
  });

  test('that drives on a road has places without a network, and at rest is reached everywhere', () => {
    let [holes, looks] = [0, 0];
    for (let seed = 1; seed <= 6; seed += 1) {
      const vehicle = vehicleOf(seed, { driving: true, radio: 'road' });
      const ideal = vehicleOf(seed, { driving: true, radio: 'ideal' });
      for (let atMs = START_MS; atMs < START_MS + 1_800_000; atMs += 2_000) {
        vehicle.advance(atMs);
        ideal.advance(atMs);
        looks += 1;
        expect(ideal.sense()).toMatchObject({ hasCoverage: true, isOutOfReach: false });
        if (!vehicle.sense().isOutOfReach) continue;
        holes += 1;
        expect(vehicle.sense()).toMatchObject({ hasCoverage: false, csq: 0, networks: [] });
        const parked = vehicleOf(seed, { driving: true, radio: 'road' });
        parked.advance(atMs);
        parked.turnIgnition(false);
        parked.advance(atMs + 60_000);
        expect(parked.sense()).toMatchObject({ hasCoverage: true, isOutOfReach: false });
      }
    }
    expect(holes).toBeGreaterThan(10);
    expect(holes / looks).toBeLessThan(0.1);
  });

  test('on a road is looked at in the second in which its network comes or goes', () => {
    let edges = 0;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), (seed) => {
        const vehicle = vehicleOf(seed, { driving: true, radio: 'road' });
        const never = Number.POSITIVE_INFINITY;
        let atMs = START_MS;
        for (let looks = 0; looks < 400; looks += 1) {
          vehicle.advance(atMs);
          const before = vehicle.sense().hasCoverage;
          const fromMs = atMs + 1_000;
          const nextMs = vehicle.quietUntilMs({
            ...{ fromMs, everyMs: 1_000, mostMs: fromMs + 60_000, dueMs: never, wayM: never },
            ...{ headingDegrees: 0, turnDegrees: never, turnSpeedKph: 5, feltMg: never },
          });
          for (let lookMs = fromMs; lookMs < nextMs; lookMs += 1_000) {
            vehicle.advance(lookMs);
            expect(vehicle.sense().hasCoverage).toBe(before);
          }
          vehicle.advance(nextMs);
          if (vehicle.sense().hasCoverage !== before) edges += 1;
          atMs = nextMs;
        }
      }),
      { numRuns: 8 },
    );
    expect(edges).toBeGreaterThan(8);
  });
});

function never(): never {
  throw new Error('There are no routes.');
}

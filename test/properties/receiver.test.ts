import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GnssFix } from '../../protocol/signals.ts';
import { distanceM } from '../../simulator/arithmetic.ts';
import { type AntennaMotion, gnssReadingOf, receiverNoiseOf } from '../../simulator/gnss/receiver.ts';
import { receptionAt } from '../../simulator/gnss/reception.ts';
import { type SkyView, spotAt } from '../../simulator/routes/route.ts';
import { ROUTES } from '../../simulator/routes/routes.ts';
import { seededRandom } from '../../world/random/seeded-random.ts';
import { START_MS } from '../support/vehicles/any-vehicle.ts';
import { gnssErrorsOf } from '../support/vehicles/gnss-errors.ts';

const anyAtMs = fc.integer({ min: START_MS, max: START_MS + 400 * 86_400_000 });
const anyMotion: fc.Arbitrary<AntennaMotion> = fc
  .record({
    route: fc.constantFrom(...ROUTES.values()),
    wayM: fc.double({ min: 0, max: 1e6, noNaN: true }),
    speedMps: fc.double({ min: 0, max: 45, noNaN: true }),
    atMs: anyAtMs,
    isAtRest: fc.boolean(),
  })
  .map(({ route, ...motion }) => ({ ...motion, spot: spotAt(route, motion.wayM) }));

const read = (seed: number, motion: AntennaMotion): GnssFix => {
  const noise = receiverNoiseOf(seededRandom(seed), 'box/one');
  return gnssReadingOf(motion, receptionAt(motion.spot, motion.atMs, noise.houses), noise);
};

describe('a receiver', () => {
  test('has errors within its stated ones, and gives the same reading when it is read again', () => {
    fc.assert(
      fc.property(fc.integer(), anyMotion, (seed, motion) => {
        const fix = read(seed, motion);
        expect(read(seed, motion)).toEqual(fix);
        const { spot, isAtRest, speedMps } = motion;
        const speedKph = isAtRest && fix.quality !== 6 ? 0 : speedMps * 3.6;
        for (const [what, off, most] of gnssErrorsOf(fix, { ...spot, speedKph }))
          expect(off, what).toBeLessThanOrEqual(most + 1e-6);
        expect(Math.abs(fix.latitude)).toBeLessThanOrEqual(90);
        expect(Math.abs(fix.longitude)).toBeLessThanOrEqual(180);
        expect(fix.headingDegrees >= 0 && fix.headingDegrees < 360).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('has errors within these limits however bad the dilution is', () => {
    let most = 0;
    fc.assert(
      fc.property(fc.nat(), anyMotion, fc.double({ min: 5, max: 20, noNaN: true }), (seed, motion, hdop) => {
        const noise = receiverNoiseOf(seededRandom(seed), 'box/one');
        const fix = gnssReadingOf(motion, { quality: 1, satellites: 4, hdop }, noise);
        const speedKph = motion.isAtRest ? 0 : motion.speedMps * 3.6;
        for (const [what, off, bound] of gnssErrorsOf(fix, { ...motion.spot, speedKph })) {
          expect(off, what).toBeLessThanOrEqual(bound + 1e-6);
          if (what === 'position') most = Math.max(most, off);
        }
      }),
      { numRuns: 2_000 },
    );
    // Some were cut off.
    expect(most).toBeGreaterThan(24.5);
  });

  test('has an error, and a different one from another receiver', () => {
    const motion = { spot: spotAt([...ROUTES.values()][0] ?? never(), 500), wayM: 500, speedMps: 10 };
    const fixes = [1, 2, 3].map((seed) => read(seed, { ...motion, atMs: START_MS, isAtRest: false }));
    for (const fix of fixes) {
      expect(distanceM(motion.spot, fix)).toBeGreaterThan(0.01);
      expect(fix.speedKph).not.toBe(36);
      expect(fix.headingDegrees).not.toBe(motion.spot.headingDegrees);
    }
    expect(new Set(fixes.map(({ latitude }) => latitude)).size).toBe(3);
  });

  test('drifts: its error is almost the same a second later, and different some minutes later', () => {
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

  test('has fewer satellites and a worse dilution between houses than under open sky, and uses dead reckoning under a roof', () => {
    const means = (sky: SkyView) => {
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

  test('sees different satellites over the hours', () => {
    const spot = { ...spotAt([...ROUTES.values()][0] ?? never(), 0), sky: 'open' as const };
    const counts = Array.from(
      { length: 48 },
      (_, half) => receptionAt(spot, START_MS + half * 1_800_000, 5).satellites,
    );
    expect(new Set(counts).size).toBeGreaterThan(4);
  });
});

function never(): never {
  throw new Error('There are no routes.');
}

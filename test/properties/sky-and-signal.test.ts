import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { translate } from '../../backend/vehicles/translation/translate.ts';
import { MODELS } from '../../protocol/models/models.ts';
import type { GnssFix } from '../../protocol/signals.ts';
import { hdopOf } from '../../simulator/gnss/reception.ts';
import { ROUTES } from '../../simulator/routes/routes.ts';
import { anyVehicle, START_MS, truthOf, vehicleOf } from '../support/vehicles/any-vehicle.ts';
import { apartM } from '../support/vehicles/drawn-drive.ts';

/** What the model promises: metres of one range by the quality, and metres of echoes; noise is 2.5 deviations at most. */
const RANGE_M = { 0: 0, 1: 1.8, 2: 0.9, 6: 1.8 } as const;
const ECHO_M = { 0: 0, 1: 3, 2: 0.4, 6: 4 } as const;
const MOST_DEVIATIONS = 2.5;
const CUT_M = 25;
/** How far the error of a range goes within a second, in deviations. */
const DRIFT_PER_S = 0.35;

interface Moment {
  readonly fix: GnssFix;
  readonly wayM: number;
  readonly ignitionOn: boolean;
}

const rangeM = ({ quality, hdop }: GnssFix): number => RANGE_M[quality] * hdop;
const mostOffM = (fix: GnssFix): number =>
  Math.min(MOST_DEVIATIONS * (rangeM(fix) + Math.SQRT2 * ECHO_M[fix.quality]), CUT_M) + 0.05;

function expectSound(fix: GnssFix, hasSky: boolean): void {
  const { quality, satellites, hdop } = fix;
  if (!hasSky) expect([quality, satellites, hdop]).toEqual([0, 0, 25]);
  else if (quality === 6) expect([satellites < 4, hdop]).toEqual([true, 3.5]);
  else
    expect([quality === 1 || quality === 2, satellites >= 4, hdop >= 0.4 && hdop <= 20]).toEqual([
      true,
      true,
      true,
    ]);
}

/** A fix goes no further than its vehicle and its error do. */
function expectContinuous(before: Moment, now: Moment): void {
  const apart = apartM(positionOf(before.fix), positionOf(now.fix));
  const wayM = now.wayM - before.wayM;
  if (before.fix.quality === 0 || now.fix.quality === 0) return;
  expect(apart).toBeLessThanOrEqual(wayM * 1.001 + mostOffM(before.fix) + mostOffM(now.fix));
  if (before.fix.quality !== now.fix.quality) return;
  const drift =
    MOST_DEVIATIONS * Math.abs(rangeM(now.fix) - rangeM(before.fix)) + DRIFT_PER_S * rangeM(now.fix);
  const echoes = wayM === 0 ? 0 : 2 * MOST_DEVIATIONS * Math.SQRT2 * ECHO_M[now.fix.quality];
  expect(apart).toBeLessThanOrEqual(wayM * 1.001 + drift + echoes + 0.05);
}

const positionOf = ({ latitude, longitude }: GnssFix) => ({ latitude, longitude });

const anyTurn = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ what: fc.constant('wait' as const), s: fc.integer({ min: 1, max: 60 }) }),
  },
  fc.record({ what: fc.constant('sky' as const), is: fc.boolean() }),
  fc.record({ what: fc.constant('loose' as const), s: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ what: fc.constant('search' as const), s: fc.integer({ min: 1, max: 40 }) }),
  fc.constant({ what: 'park' as const }),
  fc.constant({ what: 'drive' as const }),
);

/** Some metres before each place below a roof. */
const ROOFS = [...ROUTES.values()].flatMap(({ name, lengthM, corners }) =>
  corners
    .filter(({ sky }) => sky === 'covered')
    .map(({ startM }) => ({ route: name, startFraction: Math.max(startM - 20, 0) / lengthM })),
);
const anyOnRoad = fc
  .tuple(anyVehicle, fc.constantFrom(undefined, ...ROOFS))
  .map(([{ seed, change }, roof]) => ({ seed, change: { ...change, ...roof } }));

describe('a receiver on the road', () => {
  test('has a fix only under sky, with an error that its dilution explains, and goes no further than the vehicle', () => {
    const qualities = new Set<number>();
    let [squares, expected] = [0, 0];
    fc.assert(
      fc.property(
        anyOnRoad,
        fc.array(anyTurn, { minLength: 4, maxLength: 20 }),
        ({ seed, change }, turns) => {
          const vehicle = vehicleOf(seed, { ...change, driving: true });
          const model = MODELS.get(change.model);
          let atMs = START_MS;
          let [isHeard, looseUntilMs, searchesUntilMs] = [true, 0, 0];
          let before: Moment | undefined;
          for (const turn of turns) {
            if (turn.what === 'sky') {
              isHeard = turn.is;
              vehicle.setGnssReception(turn.is);
            } else if (turn.what === 'loose') {
              looseUntilMs = atMs + turn.s * 1_000;
              vehicle.setInstallationFault('no-gnss', turn.s * 1_000);
            } else if (turn.what === 'search') {
              searchesUntilMs = atMs + turn.s * 1_000;
              vehicle.startReceiver(searchesUntilMs);
            } else if (turn.what === 'park') vehicle.park();
            else if (turn.what === 'drive') vehicle.drive();
            for (let s = turn.what === 'wait' ? turn.s : 0; s > 0; s -= 1) {
              atMs += 1_000;
              vehicle.advance(atMs);
              const truth = truthOf(vehicle);
              const { signals } = vehicle.sensors();
              const fix = signals.gnss;
              if (fix === undefined) throw new Error('no reading');
              const hasSky = isHeard && atMs >= looseUntilMs && atMs >= searchesUntilMs;
              expectSound(fix, hasSky);
              qualities.add(fix.quality);
              const now = { fix, wayM: truth.distanceM, ignitionOn: truth.ignitionOn };
              const off = apartM(truth, positionOf(fix));
              if (hasSky) expect(off).toBeLessThanOrEqual(mostOffM(fix));
              else if (model !== undefined) {
                const state = translate(model, signals, { timestampMs: atMs, maintenance: false });
                expect(state['position']).toBeUndefined();
              }
              if (fix.quality === 2) {
                squares += off * off;
                expected += rangeM(fix) ** 2 + 2 * ECHO_M[2] ** 2;
              }
              const mostKph =
                fix.quality === 6 ? 1e-9 : Math.min(0.05 * 3.6 * fix.hdop * MOST_DEVIATIONS, 3) + 1e-9;
              const speedKph = now.ignitionOn ? truth.speedKph : 0;
              if (hasSky) expect(Math.abs(fix.speedKph - speedKph)).toBeLessThanOrEqual(mostKph);
              if (before !== undefined) expectContinuous(before, now);
              // Whoever knows that it stands stays where it is.
              if (before?.ignitionOn === false && !now.ignitionOn && before.fix.quality === fix.quality)
                expect(positionOf(fix)).toEqual(positionOf(before.fix));
              before = now;
            }
            if (turn.what !== 'wait') before = undefined;
          }
        },
      ),
      { numRuns: 14 },
    );
    expect([...qualities].sort()).toEqual([0, 1, 2, 6]);
    // The error is as large as its dilution says, and no smaller.
    expect(Math.sqrt(squares / expected)).toBeGreaterThan(0.75);
    expect(Math.sqrt(squares / expected)).toBeLessThan(1.3);
  });

  test('has the dilution of the cofactors of all four unknowns', () => {
    const anyDirection = fc
      .tuple(fc.double({ min: 0, max: 360, noNaN: true }), fc.double({ min: 10, max: 90, noNaN: true }))
      .map(([azimuth, elevation]) => {
        const [a, e] = [(azimuth * Math.PI) / 180, (elevation * Math.PI) / 180];
        return { east: Math.sin(a) * Math.cos(e), north: Math.cos(a) * Math.cos(e), up: Math.sin(e) };
      });
    fc.assert(
      fc.property(fc.array(anyDirection, { minLength: 4, maxLength: 16 }), (seen) => {
        const rows = seen.map(({ east, north, up }) => [east, north, up, 1]);
        const normal = [0, 1, 2, 3].map((i) =>
          [0, 1, 2, 3].map((j) => rows.reduce((sum, row) => sum + (row[i] ?? 0) * (row[j] ?? 0), 0)),
        );
        const inverse = inverseOf(normal);
        if (inverse === undefined) return;
        const hdop = Math.sqrt((inverse[0]?.[0] ?? 0) + (inverse[1]?.[1] ?? 0));
        if (hdop < 50) expect(hdopOf(seen) / hdop).toBeCloseTo(1, 4);
      }),
    );
  });
});

/** By Gauss and Jordan; undefined: the matrix is singular, or nearly. */
function inverseOf(matrix: readonly (readonly number[])[]): readonly (readonly number[])[] | undefined {
  const size = matrix.length;
  const work = matrix.map((row, index) => [...row, ...row.map((_, column) => (column === index ? 1 : 0))]);
  for (let column = 0; column < size; column += 1) {
    const order = work
      .slice(column)
      .toSorted((one, other) => Math.abs(other[column] ?? 0) - Math.abs(one[column] ?? 0));
    work.splice(column, order.length, ...order);
    const pivot = work[column]?.[column] ?? 0;
    if (Math.abs(pivot) < 1e-7) return undefined;
    const head = (work[column] ?? []).map((value) => value / pivot);
    work[column] = head;
    for (const [index, row] of work.entries()) {
      const factor = row[column] ?? 0;
      if (index !== column) work[index] = row.map((value, at) => value - factor * (head[at] ?? 0));
    }
  }
  return work.map((row) => row.slice(size));
}

describe('a modem on the road', () => {
  test('has a network where the level reaches or it rests, and a signal quality that the level explains', () => {
    const seen = { out: 0, covered: 0 };
    fc.assert(
      fc.property(
        anyVehicle,
        fc.array(
          fc.record({
            s: fc.integer({ min: 1, max: 400 }),
            what: fc.constantFrom('go', 'go', 'park', 'off', 'on'),
          }),
          {
            minLength: 4,
            maxLength: 20,
          },
        ),
        ({ seed, change }, turns) => {
          const vehicle = vehicleOf(seed, { ...change, driving: true, radio: 'road' });
          let atMs = START_MS;
          let isOn = true;
          for (const { s, what } of turns) {
            if (what === 'park') vehicle.park();
            else if (what === 'go') vehicle.drive();
            else {
              isOn = what === 'on';
              vehicle.setCoverage(isOn);
            }
            for (let part = 0; part < 12; part += 1) {
              atMs += Math.ceil((s * 1_000) / 12);
              vehicle.advance(atMs);
              const truth = truthOf(vehicle);
              const level = Number(vehicle.truth()['signalLevelDbm']);
              const { csq, signals, networks } = vehicle.sensors();
              const isReached = level >= -107 || !truth.ignitionOn;
              expect(truth.hasCoverage).toBe(isOn && isReached);
              // 3GPP TS 27.007, +CSQ: steps of 2 dB from -113 dBm.
              const there = Math.min(Math.max(Math.round((Math.max(level, -107) + 113) / 2), 0), 31);
              expect(truth.csq).toBe(truth.hasCoverage ? there : 0);
              expect(signals.modem?.csq).toBe(truth.hasCoverage ? there : 99);
              expect((networks ?? []).length > 0).toBe(truth.hasCoverage);
              expect((signals.modem?.network ?? 0) > 0).toBe(truth.hasCoverage);
              if (truth.hasCoverage) expect(Math.abs(csq - there)).toBeLessThanOrEqual(2);
              else expect(csq).toBe(0);
              if (!isReached) seen.out += 1;
              if (truth.hasCoverage) seen.covered += 1;
            }
          }
        },
      ),
      { numRuns: 20 },
    );
    expect(Math.min(seen.out, seen.covered)).toBeGreaterThan(0);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { airC } from '../../simulator/vehicle/surroundings/air.ts';
import { START_MS, vehicleOf } from '../support/vehicles/any-vehicle.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const anyWeather = fc.integer({ min: 0, max: 0xffff_fffe });
const anyMs = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) });
const anyPlace = fc.record({
  latitude: fc.double({ min: -66, max: 66, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  altitudeM: fc.double({ min: 0, max: 3_000, noNaN: true }),
});
const berlin = { latitude: 52.5, longitude: 13.4, altitudeM: 35 };

/** The mean of many samples, this many hours apart. */
function meanC(weather: number, fromMs: number, days: number, place = berlin): number {
  let sum = 0;
  for (let hour = 0; hour < days * 24; hour += 1) sum += airC(weather, fromMs + hour * HOUR_MS, place);
  return sum / (days * 24);
}

describe('the temperature of the air', () => {
  test('is a pure function of seed, time and place, changes continuously, and stays in the range of the sensors', () => {
    fc.assert(
      fc.property(anyWeather, anyMs, anyPlace, (weather, atMs, place) => {
        const now = airC(weather, atMs, place);
        expect(airC(weather, atMs, { ...place })).toBe(now);
        expect(now).toBeGreaterThanOrEqual(-39);
        expect(now).toBeLessThanOrEqual(50);
        expect(Math.abs(airC(weather, atMs + HOUR_MS, place) - now)).toBeLessThan(2.5);
      }),
    );
  });

  test('follows the seasons: summer is warmer than winter, reversed in the southern hemisphere', () => {
    fc.assert(
      fc.property(anyWeather, fc.integer({ min: 2020, max: 2040 }), (weather, year) => {
        const winterC = (place = berlin) => meanC(weather, Date.UTC(year, 0, 6), 30, place);
        const summerC = (place = berlin) => meanC(weather, Date.UTC(year, 6, 6), 30, place);
        expect(summerC() - winterC()).toBeGreaterThan(10);
        const south = { ...berlin, latitude: -berlin.latitude };
        expect(winterC(south) - summerC(south)).toBeGreaterThan(10);
      }),
      { numRuns: 20 },
    );
  });

  test('follows solar time: three in the afternoon is warmer than three at night', () => {
    fc.assert(
      fc.property(anyWeather, fc.integer({ min: 18_000, max: 25_000 }), anyPlace, (weather, day, place) => {
        const solarMs = (hour: number) => day * DAY_MS + (hour - place.longitude / 15) * HOUR_MS;
        const night = airC(weather, solarMs(3), place) + airC(weather, solarMs(27), place);
        expect(airC(weather, solarMs(15), place)).toBeGreaterThan(night / 2 - 1.5);
        expect(meanOf(weather, day, place, 15) - meanOf(weather, day, place, 3)).toBeGreaterThan(3);
      }),
    );
  });

  test('decreases with altitude and latitude', () => {
    fc.assert(
      fc.property(
        anyWeather,
        anyMs,
        fc.double({ min: 100, max: 2_000, noNaN: true }),
        (weather, atMs, upM) => {
          const above = airC(weather, atMs, { ...berlin, altitudeM: berlin.altitudeM + upM });
          expect(airC(weather, atMs, berlin) - above).toBeCloseTo(upM * 0.0065, 6);
          const south = { ...berlin, latitude: 38 };
          expect(meanC(weather, atMs, 365, south)).toBeGreaterThan(meanC(weather, atMs, 365));
        },
      ),
      { numRuns: 10 },
    );
  });

  test('has warm and cold spells that the seed decides', () => {
    const days = (weather: number) =>
      Array.from({ length: 60 }, (_, day) => airC(weather, START_MS + day * DAY_MS, berlin));
    const [one, other] = [days(1), days(2)];
    expect(one).not.toEqual(other);
    const apart = one.map((degrees, day) => Math.abs(degrees - (other[day] ?? degrees)));
    expect(Math.max(...apart)).toBeGreaterThan(3);
  });
});

/** At that hour by the sun, over a month around that day. */
function meanOf(weather: number, day: number, place: typeof berlin, hour: number): number {
  const hours = Array.from({ length: 30 }, (_, index) => (day + index) * 24 + hour - place.longitude / 15);
  return hours.reduce((sum, at) => sum + airC(weather, at * HOUR_MS, place), 0) / hours.length;
}

describe('the temperature of a vehicle', () => {
  test('reaches the air temperature after a day, all year, and starts from it', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom('electric-moped', 'petrol-compact', 'electric-hatchback'),
        anyMs,
        fc.integer({ min: 24, max: 500 }),
        (seed, model, fromMs, hours) => {
          const vehicle = vehicleOf(seed, { model, driving: true }, undefined, fromMs);
          vehicle.advance(fromMs + 20 * 60_000);
          vehicle.park();
          vehicle.advance(fromMs + 20 * 60_000 + hours * HOUR_MS);
          const truth = vehicle.truth();
          expect(truth['coolantTemperatureC']).toBeCloseTo(Number(truth['ambientTemperatureC']), 1);
          expect(vehicle.sensors().ambientTemperatureC).toBe(truth['ambientTemperatureC']);
          vehicle.drive();
          expect(Number(vehicle.truth()['coolantTemperatureC'])).toBeCloseTo(
            Number(truth['coolantTemperatureC']),
            1,
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  test('is lower in January than in July, and in the mountains than in the lowlands', () => {
    const standing = (route: string, atMs: number) =>
      Number(vehicleOf(3, { route, driving: false }, undefined, atMs).truth()['ambientTemperatureC']);
    const days = Array.from({ length: 20 }, (_, day) => day * DAY_MS);
    const mean = (route: string, month: number) =>
      days.reduce((sum, day) => sum + standing(route, Date.UTC(2026, month, 5, 12) + day), 0) / days.length;
    expect(mean('berlin-west', 6) - mean('berlin-west', 0)).toBeGreaterThan(12);
    expect(mean('munich-leopold', 0)).toBeLessThan(mean('hamburg-alster', 0));
  });
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { distanceM } from '../../simulator/arithmetic.ts';
import { itemsOf, playAndInspect } from '../support/simulation/play-scenario.ts';

const folder = new URL('../../scenarios/drives/', import.meta.url);
const table = readFileSync(new URL('commute.csv', folder), 'utf8');

/** The rows of the file: seconds from its beginning, and the place then. */
const rows = table
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [time = '', latitude, longitude, , speed, , , odometer, ignition] = line.split(',');
    const place = { latitude: Number(latitude), longitude: Number(longitude) };
    return {
      atMs: Date.parse(time),
      ...place,
      speedKph: Number(speed),
      odometer: Number(odometer),
      ignition,
    };
  });

/** The last row before the one gap. */
const beforeGap = rows.find(({ atMs }, index) => (rows[index + 1]?.atMs ?? atMs) - atMs > 10_000);

const value = <Schema extends z.ZodType>(schema: Schema) =>
  z.object({ timestamp: z.iso.datetime(), value: schema }).optional();
const stateMessage = z.object({
  data: z.object({
    vehicle_state: z.object({
      position: value(z.object({ lat: z.number(), lon: z.number() })),
      speed_in_kph: value(z.number()),
      mileage_in_kilometers: value(z.number()),
    }),
  }),
});

test('the service follows a recorded drive: its places, its speeds, its mileage, and where it ends', async () => {
  const scenario = readFileSync(new URL('commute.yaml', folder), 'utf8');
  await playAndInspect(
    scenario,
    async (evidence, testbed, findings) => {
      expect(findings).toEqual([]);
      const [vehicle] = testbed.vehicles;
      if (vehicle === undefined) throw new Error('no vehicle');
      const begunMs = evidence.boxHistory(vehicle).acts.find(({ name }) => name === 'drive')?.atMs ?? 0;
      const [first, last] = [rows[0], rows.at(-1)];
      if (first === undefined || last === undefined) throw new Error('no rows');
      /** The row of that time of the run. */
      const rowAt = (timestamp: string) => {
        const wantedMs = first.atMs + Date.parse(timestamp) - begunMs;
        return rows.findLast(({ atMs }) => atMs <= wantedMs) ?? first;
      };
      const messages = await itemsOf(evidence.messages('VehicleState_v1-own'));
      const states = messages.map(({ body }) => stateMessage.parse(body).data.vehicle_state);
      const places = states.flatMap(({ position }) => position ?? []);
      expect(new Set(places.map(({ timestamp }) => timestamp)).size).toBeGreaterThan(10);
      for (const { timestamp, value: place } of places) {
        const row = rowAt(timestamp);
        const found = { latitude: place.lat, longitude: place.lon };
        // What the receiver may be wrong by, and the way of the second that a time is rounded by; in the gap as far as that leads.
        const gapM = row === beforeGap ? 110 : 0;
        expect(distanceM(row, found), timestamp).toBeLessThan(25 + (2 * row.speedKph) / 3.6 + gapM);
      }
      const speeds = states.flatMap(({ speed_in_kph: speed }) => speed ?? []);
      // Within a second that a time is rounded by, a braking car loses 7 km/h, and so does a row.
      for (const { timestamp, value: speed } of speeds)
        expect(Math.abs(speed - rowAt(timestamp).speedKph), timestamp).toBeLessThan(16);
      const mileages = states.flatMap(({ mileage_in_kilometers: mileage }) => mileage?.value ?? []);
      expect(Math.abs((mileages.at(-1) ?? 0) - last.odometer)).toBeLessThan(0.2);
      expect(vehicle.box?.truth()).toMatchObject({ ignitionOn: false, driverWish: 'rest', speedKph: 0 });
    },
    { readFile: (file) => (file === 'commute.csv' ? table : undefined) },
  );
});

test('vehicles of a group with a recorded drive begin with the fleet, and each comes to its end', async () => {
  await playAndInspect(
    `
name: two-replay
about: Two vehicles replay one drive at the same time.
fleet: [{ count: 2, recorded_drive: commute.csv }, { count: 1, driving: false }]
steps: [{ at: 10s, expect: { connected: true } }, { at: 5m, on: fleet-0, expect: { truth: { ignitionOn: false } } }]
always: all
`,
    (_evidence, testbed, findings) => {
      expect(findings).toEqual([]);
      const [one, other, third] = testbed.vehicles.map(({ box }) => box?.truth());
      const end = rows.at(-1);
      for (const truth of [one, other]) {
        expect(Number(truth?.['latitude'])).toBeCloseTo(end?.latitude ?? 0, 5);
        expect(Number(truth?.['mileageKm'])).toBeCloseTo(end?.odometer ?? 0, 1);
      }
      expect(third?.['route']).not.toBe('commute.csv');
      return Promise.resolve();
    },
    { readFile: (file) => (file === 'commute.csv' ? table : undefined) },
  );
});

test('a recorded drive is the same by the names of its columns and by drive_columns', async () => {
  const scenario = readFileSync(new URL('commute.yaml', folder), 'utf8');
  const [head = '', ...lines] = table.split('\n');
  const renamed = head.replace('Time', 'Zeit').replace('Latitude', 'Breite').replace('Speed (km/h)', 'v');
  const columns = 'drive_columns: { time: Zeit, latitude: Breite, speed: { column: v, unit: kph } }';
  const mapped = scenario.replace('recorded_drive: commute.csv', `recorded_drive: commute.csv, ${columns}`);
  expect(mapped).toContain(columns);
  const told = (text: string, file: string) =>
    playAndInspect(
      text,
      async (evidence) => (await itemsOf(evidence.messages('VehicleState_v1-own'))).map(({ body }) => body),
      { readFile: () => file },
    );
  const usual = await told(scenario, table);
  expect(usual.length).toBeGreaterThan(5);
  expect(await told(mapped, [renamed, ...lines].join('\n'))).toEqual(usual);
});

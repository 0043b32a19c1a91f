import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODELS } from '../../../../protocol/models/models.ts';
import { limits as boxLimits } from '../../../../simulator/limits.ts';
import { limits } from '../../../../simulator/vehicle/limits.ts';
import { packMemory, unpackMemory } from '../../../../simulator/vehicle/memory/memory.ts';
import { START_MS, truthOf, vehicleOf } from '../../../support/vehicles/any-vehicle.ts';

const driving = { driving: true, model: 'petrol-compact' };
const parked = { driving: false, model: 'petrol-compact' };

describe('a vehicle', () => {
  test('starts driving at once if planned, and is otherwise parked, locked and immobilised', () => {
    const moving = vehicleOf(1, driving);
    moving.advance(START_MS + 5_000);
    expect(truthOf(moving)).toMatchObject({ ignitionOn: true, locked: false, drivingEnabled: true });
    expect(truthOf(moving).speedKph).toBeGreaterThan(5);
    const standing = vehicleOf(1, parked);
    standing.advance(START_MS + 3_600_000);
    expect(truthOf(standing)).toMatchObject({
      ignitionOn: false,
      locked: true,
      drivingEnabled: false,
      speedKph: 0,
    });
    expect(standing.nextChangeMs()).toBeUndefined();
  });

  test('stops before its ignition is turned off, a door opens or it is parked', () => {
    for (const act of ['park', 'ignition', 'door'] as const) {
      const vehicle = vehicleOf(2, driving);
      vehicle.advance(START_MS + 10_000);
      const before = truthOf(vehicle);
      expect(before.speedKph).toBeGreaterThan(20);
      if (act === 'park') vehicle.park();
      else if (act === 'ignition') vehicle.turnIgnition(false);
      else vehicle.openDoor(true);
      expect(truthOf(vehicle).speedKph).toBe(before.speedKph);
      expect(truthOf(vehicle)).toMatchObject({ ignitionOn: true, anyDoorOpen: false });
      vehicle.advance(START_MS + 16_000);
      expect(truthOf(vehicle)).toMatchObject({
        speedKph: 0,
        ignitionOn: act === 'door',
        anyDoorOpen: act === 'door',
      });
      const metres = before.speedKph / 3.6;
      expect(truthOf(vehicle).distanceM - before.distanceM).toBeCloseTo((metres * metres) / 8, 3);
    }
  });

  test('waits with an open door, and continues when it is closed', () => {
    const vehicle = vehicleOf(2, driving);
    vehicle.openDoor(true);
    vehicle.advance(START_MS + 600_000);
    expect(truthOf(vehicle)).toMatchObject({ speedKph: 0, anyDoorOpen: true });
    const before = truthOf(vehicle).distanceM;
    vehicle.openDoor(false);
    vehicle.advance(START_MS + 900_000);
    expect(truthOf(vehicle).distanceM).toBeGreaterThan(before);
  });

  test('moves its actuators at once, but does not lock an open door or immobilise a moving vehicle', () => {
    const vehicle = vehicleOf(3, driving);
    vehicle.advance(START_MS + 10_000);
    expect(vehicle.actuate({ set: 'drivingEnabled', to: false })).toBe(false);
    expect(vehicle.actuate({ set: 'locked', to: true })).toBe(true);
    expect(truthOf(vehicle)).toMatchObject({ drivingEnabled: true, locked: true });
    vehicle.actuate({ set: 'locked', to: false });
    vehicle.park();
    vehicle.advance(START_MS + 20_000);
    expect(vehicle.actuate({ set: 'drivingEnabled', to: false })).toBe(true);
    vehicle.openDoor(true);
    expect(vehicle.actuate({ set: 'locked', to: true })).toBe(false);
    vehicle.openDoor(false);
    expect(vehicle.actuate({ set: 'locked', to: true })).toBe(true);
    vehicle.openDoor(true);
    expect(truthOf(vehicle)).toMatchObject({ locked: true, anyDoorOpen: false, drivingEnabled: false });
  });

  test('stays at a light with its engine off while it is immobilised, and continues afterwards', () => {
    const vehicle = vehicleOf(4, driving);
    let atMs = START_MS;
    while (atMs < START_MS + 10_000 || truthOf(vehicle).speedKph > 0) {
      atMs += 500;
      vehicle.advance(atMs);
    }
    expect(vehicle.actuate({ set: 'drivingEnabled', to: false })).toBe(true);
    const { distanceM } = truthOf(vehicle);
    atMs += 600_000;
    vehicle.advance(atMs);
    expect(truthOf(vehicle)).toMatchObject({ distanceM, engineRpm: 0, ignitionOn: true });
    vehicle.actuate({ set: 'drivingEnabled', to: true });
    vehicle.advance(atMs + 300_000);
    expect(truthOf(vehicle).distanceM).toBeGreaterThan(distanceM);
  });

  test('does not move when it is repeatedly requested to do what it already does', () => {
    const asked = vehicleOf(5, driving);
    const left = vehicleOf(5, driving);
    for (let second = 1; second <= 600; second += 1) {
      asked.advance(START_MS + second * 1_000);
      asked.drive();
    }
    left.advance(START_MS + 600_000);
    expect(asked.truth()).toEqual(left.truth());
  });

  test('warms up and cools down, and its battery discharges slowly while parked', () => {
    const vehicle = vehicleOf(6, driving);
    vehicle.advance(START_MS + 1_800_000);
    expect(truthOf(vehicle).coolantTemperatureC).toBeGreaterThan(85);
    expect(truthOf(vehicle).onboardVolts).toBeGreaterThan(13.5);
    vehicle.park();
    vehicle.advance(START_MS + 1_860_000);
    const fresh = truthOf(vehicle).onboardVolts;
    vehicle.advance(START_MS + 30 * 86_400_000);
    expect(truthOf(vehicle).coolantTemperatureC).toBeLessThan(20);
    expect(truthOf(vehicle).onboardVolts).toBeLessThan(fresh);
    expect(truthOf(vehicle).onboardVolts).toBeGreaterThanOrEqual(limits.lowestRestVolts);
  });

  test('has no OBD and powertrain bus signals with the ignition off', () => {
    for (const model of MODELS.keys()) {
      const vehicle = vehicleOf(7, { driving: true, model });
      vehicle.advance(START_MS + 10_000);
      const awake = vehicle.sensors().signals;
      vehicle.park();
      vehicle.advance(START_MS + 20_000);
      const asleep = vehicle.sensors().signals;
      if (model === 'petrol-compact') {
        expect(awake.obd?.map((answer) => answer.pid)).toEqual([0x01, 0x05, 0x0c, 0x0d, 0x2f, 0x42, 0xa6]);
        expect(asleep.obd).toBeUndefined();
      } else if (model === 'electric-hatchback') {
        expect(awake.can?.map((frame) => frame.bus)).toEqual([0, 0, 1, 1, 1, 1]);
        expect(asleep.can?.map((frame) => frame.bus)).toEqual([1, 1, 1, 1]);
      } else if (model === 'electric-moped') {
        expect(awake.can?.map((frame) => frame.id)).toEqual([0x2a0, 0x2b4, 0x2c0, 0x2d1, 0x2d2, 0x2d3]);
        expect(asleep.can?.map((frame) => frame.id)).toEqual([0x2b4, 0x2c0, 0x2d1, 0x2d2, 0x2d3]);
      }
      expect(asleep.digital).toBeTypeOf('number');
      expect(asleep.gnss?.speedKph).toBe(0);
    }
  });

  test('gives a sample that later changes do not affect', () => {
    const vehicle = vehicleOf(8, driving);
    vehicle.advance(START_MS + 10_000);
    const sensors = vehicle.sensors();
    const twin = structuredClone(vehicle.sensors().signals);
    vehicle.setCoverage(false);
    vehicle.setSignalQuality(3);
    vehicle.advance(START_MS + 60_000);
    expect(sensors.signals).toEqual(twin);
    expect(sensors.hasCoverage).toBe(true);
  });

  test('receives no network without coverage', () => {
    const vehicle = vehicleOf(9, driving);
    expect(vehicle.sensors().networks.length).toBeGreaterThan(1);
    expect(vehicle.sensors().signals.modem?.network).toBe(26201);
    vehicle.setCoverage(false);
    expect(vehicle.sensors()).toMatchObject({ hasCoverage: false, csq: 0, networks: [] });
    expect(vehicle.sensors().signals.modem).toEqual({ csq: 99, network: 0 });
  });

  test('lowers its supply below the needs of a box, and restores it at the predicted time', () => {
    const vehicle = vehicleOf(10, parked);
    vehicle.brownOut();
    expect(vehicle.sensors().supplyMillivolts).toBeLessThan(boxLimits.brownOutMillivolts);
    const backMs = vehicle.nextChangeMs();
    expect(backMs).toBe(START_MS + limits.brownOutMs);
    vehicle.advance((backMs ?? 0) - 1);
    expect(vehicle.sensors().supplyMillivolts).toBeLessThan(boxLimits.brownOutMillivolts);
    vehicle.advance(backMs ?? 0);
    expect(vehicle.sensors().supplyMillivolts).toBeGreaterThan(boxLimits.restoreMillivolts);
    expect(vehicle.nextChangeMs()).toBeUndefined();
  });

  test('can be advanced by ten parked years in one step', () => {
    const vehicle = vehicleOf(11, parked);
    vehicle.advance(START_MS + 10 * 365 * 86_400_000);
    expect(truthOf(vehicle)).toMatchObject({ speedKph: 0, distanceM: 0 });
  });

  test('never goes back in time', () => {
    const vehicle = vehicleOf(12, driving);
    vehicle.advance(START_MS + 60_000);
    const before = vehicle.truth();
    vehicle.advance(START_MS);
    vehicle.advance(Number.NaN);
    expect(vehicle.truth()).toEqual(before);
  });

  test('runs out of fuel after days of idling, never below empty, and then stops', () => {
    const vehicle = vehicleOf(13, parked);
    vehicle.actuate({ set: 'drivingEnabled', to: true });
    vehicle.turnIgnition(true);
    expect(truthOf(vehicle).engineRpm).toBeGreaterThan(0);
    vehicle.advance(START_MS + 100 * 86_400_000);
    expect(truthOf(vehicle)).toMatchObject({ energyPercent: 0, engineRpm: 0 });
    vehicle.actuate({ set: 'locked', to: false });
    vehicle.drive();
    vehicle.advance(START_MS + 101 * 86_400_000);
    expect(truthOf(vehicle).distanceM).toBe(0);
  });
});

describe('the stored state of a vehicle', () => {
  test('is read as it was written', () => {
    const vehicle = vehicleOf(1, driving);
    vehicle.advance(START_MS + 600_000);
    expect(unpackMemory(packMemory(vehicle.memory()))).toEqual(vehicle.memory());
  });

  test('keeps jammed parts', () => {
    const vehicle = vehicleOf(1, { model: 'electric-moped', driving: false });
    vehicle.setMechanics({ top_case: 'failing' });
    expect(vehicle.actuate({ set: 'topCaseLocked', to: false })).toBe(true);
    const again = vehicleOf(1, { model: 'electric-moped' }, unpackMemory(packMemory(vehicle.memory())));
    expect(again.truth()).toMatchObject({ topCaseLocked: false, mechanics: { top_case: 'jammed' } });
    expect(again.actuate({ set: 'topCaseLocked', to: true })).toBe(false);
    again.setMechanics({ top_case: 'works' });
    expect(again.actuate({ set: 'topCaseLocked', to: true })).toBe(true);
  });

  test('of an earlier version can be read: missing parts are closed and retracted', () => {
    const { switches, ...rest } = vehicleOf(1, parked).memory();
    const { ignitionOn, doorOpen, locked, drivingEnabled } = switches;
    const earlier = { ...rest, switches: { ignitionOn, doorOpen, locked, drivingEnabled } };
    const bytes = new TextEncoder().encode(JSON.stringify(earlier));
    expect(unpackMemory(bytes)).toEqual(vehicleOf(1, parked).memory());
  });

  test('is absent if the bytes are invalid', () => {
    const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
    const good = vehicleOf(1).memory();
    expect(unpackMemory(text(good))).toEqual(good);
    const switches = good.switches;
    for (const bad of [
      null,
      [],
      { ...good, version: 2 },
      { ...good, wayM: -1 },
      { ...good, energy: 'much' },
      { ...good, wish: 'fly' },
      { ...good, switches: { ...switches, locked: 1 } },
      { ...good, switches: { ...switches, locked: true, doorOpen: true } },
      { ...good, switches: { ...switches, topCaseLocked: true, topCaseOpen: true } },
      { ...good, mechanics: { lock: 'rusty' } },
    ]) {
      expect(unpackMemory(text(bad))).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(unpackMemory(bytes)).toBeUndefined();
      }),
    );
  });
});

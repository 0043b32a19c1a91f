import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODELS } from '../../protocol/models/models.ts';
import type { VehicleOperation } from '../../simulator/vehicle/equipment/vehicle-operations.ts';
import { packMemory, unpackMemory } from '../../simulator/vehicle/memory/memory.ts';
import type { PersistentVehicle } from '../../simulator/vehicle/vehicle.ts';
import { anyMoment, anyOperation, applyMoment, type Moment } from '../support/vehicles/any-moment.ts';
import { anyVehicle, START_MS, vehicleOf } from '../support/vehicles/any-vehicle.ts';

/** The properties of the truth for the equipment of the vehicle. */
interface Truth {
  readonly mileageKm: number;
  readonly speedKph: number;
  readonly energyPercent: number;
  readonly energyLeft: number;
  readonly hybridChargePercent?: number;
  readonly engine: string;
  readonly driverWish: string;
  readonly ignitionOn: boolean;
  readonly chargingAdapterConnected?: boolean;
  readonly charging?: boolean;
  readonly beltFrontLeft?: boolean;
  readonly gear?: string;
  readonly serviceDueKm?: number;
  readonly oilDueKm?: number;
  readonly serviceDueDay?: number;
  readonly levels: Readonly<Record<string, number>>;
  readonly troubleCodeTexts: readonly string[];
}

const EPSILON = 1e-6;
const truthOf = (vehicle: PersistentVehicle) => vehicle.truth() as unknown as Truth;
const deedOf = (moment: Moment): VehicleOperation | undefined => ('deed' in moment ? moment.deed : undefined);

function holds(now: Truth, before: Truth, deed: VehicleOperation | undefined): void {
  const wayKm = now.mileageKm - before.mileageKm;
  expect(wayKm, 'mileage never falls').toBeGreaterThanOrEqual(0);
  const isServed = now.engine === 'filling' || now.engine === 'charging' || before.engine !== now.engine;
  if (deed === undefined && !isServed && wayKm === 0) {
    expect(now.energyLeft, 'energy').toBeLessThanOrEqual(before.energyLeft + EPSILON);
  }
  if (deed !== undefined && deed.kind !== 'refuel' && deed.kind !== 'battery')
    expect(now.energyLeft, `energy at ${deed.kind}`).toBeLessThanOrEqual(before.energyLeft + EPSILON);
  expect(now.energyPercent >= 0 && now.energyPercent <= 100, 'energy in percent').toBe(true);
  const traction = now.hybridChargePercent ?? 0;
  expect(traction >= 0 && traction <= 100, 'traction battery in percent').toBe(true);

  if (now.charging === true) expect(now.chargingAdapterConnected, 'charges at a plug only').toBe(true);
  if (now.chargingAdapterConnected === true) expect(now.speedKph, 'plugged in').toBe(0);
  if (now.speedKph > 0) expect(now.charging ?? false, 'charges standing only').toBe(false);

  for (const [name, level] of Object.entries(now.levels)) {
    expect(level >= 0 && level <= 100, name).toBe(true);
    if (deed?.kind !== 'wear' && deed?.kind !== 'workshop')
      expect(level, `${name} does not rise by itself`).toBeLessThanOrEqual(
        (before.levels[name] ?? 0) + EPSILON,
      );
  }
  if (deed?.kind !== 'due' && deed?.kind !== 'workshop') {
    for (const name of ['serviceDueKm', 'oilDueKm'] as const) {
      const [left, leftBefore] = [now[name], before[name]];
      if (left === undefined || leftBefore === undefined) continue;
      expect(Math.abs(leftBefore - left - wayKm), `${name} falls as far as it drives`).toBeLessThan(EPSILON);
    }
    expect(now.serviceDueDay, 'a due date stays').toBe(before.serviceDueDay);
  }
  if (deed?.kind !== 'trouble-code' && deed?.kind !== 'workshop')
    expect(now.troubleCodeTexts, 'codes stay').toEqual(expect.arrayContaining([...before.troubleCodeTexts]));
  if (now.gear !== undefined && !now.ignitionOn) expect(now.gear).toBe('PARK');
  if (now.gear !== undefined && now.speedKph > 0) expect(['DRIVE', 'SPORT']).toContain(now.gear);
}

describe('the equipment of a vehicle', () => {
  test('keeps its invariants over random days, whatever is done to it', () => {
    fc.assert(
      fc.property(anyVehicle, fc.array(anyMoment, { maxLength: 40 }), ({ seed, change }, moments) => {
        const vehicle = vehicleOf(seed, change);
        let atMs = START_MS;
        let before = truthOf(vehicle);
        for (const moment of moments) {
          atMs = applyMoment(vehicle, moment, atMs);
          const now = truthOf(vehicle);
          holds(now, before, deedOf(moment));
          before = now;
        }
      }),
      { numRuns: 200 },
    );
  });

  test('is identical however often it is sampled, whatever was done to it', () => {
    fc.assert(
      fc.property(
        anyVehicle,
        fc.array(anyOperation, { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 3_600_000 }), { minLength: 1, maxLength: 20 }),
        ({ seed, change }, deeds, waits) => {
          const [often, once] = [vehicleOf(seed, change), vehicleOf(seed, change)];
          for (const deed of deeds) expect(often.operate(deed)).toBe(once.operate(deed));
          let atMs = START_MS;
          for (const wait of waits) {
            atMs += wait;
            often.advance(atMs);
            often.truth();
          }
          once.advance(atMs);
          expect(once.truth()).toEqual(often.truth());
          expect(once.sensors().signals).toEqual(often.sensors().signals);
        },
      ),
      { numRuns: 80 },
    );
  });

  test('is kept over a restart, and a page of an earlier version can be read', () => {
    fc.assert(
      fc.property(anyVehicle, fc.array(anyMoment, { maxLength: 15 }), ({ seed, change }, moments) => {
        const vehicle = vehicleOf(seed, change);
        let atMs = START_MS;
        for (const moment of moments) atMs = applyMoment(vehicle, moment, atMs);
        const kept = unpackMemory(packMemory(vehicle.memory()));
        if (kept === undefined) throw new Error('the memory does not read');
        expect(kept).toEqual(JSON.parse(JSON.stringify(vehicle.memory())));
        const [after, before] = [truthOf(vehicleOf(seed, change, kept, atMs)), truthOf(vehicle)];
        for (const name of [
          'levels',
          'troubleCodeTexts',
          'serviceDueDay',
          'chargingAdapterConnected',
        ] as const)
          if (before.engine !== 'charging') expect(after[name], name).toEqual(before[name]);
        expect(after.hybridChargePercent).toBe(before.hybridChargePercent);
        const { equipment: _equipment, tractionKwh: _traction, ...early } = kept;
        expect(truthOf(vehicleOf(seed, change, early, atMs)).mileageKm).toBe(before.mileageKm);
      }),
      { numRuns: 60 },
    );
  });

  test('reads any page with invalid equipment without a failure', () => {
    fc.assert(
      fc.property(anyVehicle, fc.jsonValue(), ({ seed, change }, equipment) => {
        const memory = { ...vehicleOf(seed, change).memory(), equipment };
        const vehicle = vehicleOf(seed, change, memory);
        vehicle.advance(START_MS + 60_000);
        holds(truthOf(vehicle), truthOf(vehicle), undefined);
      }),
      { numRuns: 100 },
    );
  });
});

describe('charging', () => {
  const plugs = [...MODELS.values()].filter(({ body }) => body.chargeKw !== undefined);

  test('is constant up to 80 percent, then slower and slower, and ends at the predicted time', () => {
    fc.assert(
      fc.property(fc.constantFrom(...plugs), fc.integer(), ({ name }, seed) => {
        const vehicle = vehicleOf(seed, { model: name, driving: false });
        const percentOf = (truth: Truth) => truth.hybridChargePercent ?? truth.energyPercent;
        const { chargingMinutesLeft } = vehicle.truth() as { chargingMinutesLeft: number };
        const steps: (readonly [from: number, gained: number])[] = [];
        let percent = percentOf(truthOf(vehicle));
        for (let minute = 1; minute < chargingMinutesLeft; minute += 1) {
          vehicle.advance(START_MS + minute * 60_000);
          expect(truthOf(vehicle)).toMatchObject({ charging: true, chargingAdapterConnected: true });
          const now = percentOf(truthOf(vehicle));
          steps.push([percent, now - percent]);
          percent = now;
        }
        const straight = steps.filter(([from, gained]) => from + gained < 80).map(([, gained]) => gained);
        if (straight.length > 1) expect(Math.max(...straight) - Math.min(...straight)).toBeLessThan(EPSILON);
        const taper = steps.filter(([from]) => from > 80).map(([, gained]) => gained);
        for (const [index, gained] of taper.entries())
          expect(gained).toBeLessThan((taper[index - 1] ?? Number.POSITIVE_INFINITY) + EPSILON);
        vehicle.advance(START_MS + Math.ceil(chargingMinutesLeft * 60_000));
        expect(percentOf(truthOf(vehicle))).toBe(100);
        expect(truthOf(vehicle)).toMatchObject({ charging: false, chargingAdapterConnected: true });
      }),
      { numRuns: 15 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODELS } from '../../protocol/models/models.ts';
import type { PersistentVehicle } from '../../simulator/vehicle/vehicle.ts';
import {
  anyVehicle,
  anyVehicleStep,
  applyVehicleStep,
  START_MS,
  type truthOf,
  vehicleOf,
} from '../support/vehicles/any-vehicle.ts';

/** What the model promises, apart from its tables: litres or kilowatt-hours per second, and shares of the consumption. */
const IDLE_LITRES_PER_S = 0.7 / 3_600;
const IDLE_KWH_PER_S = 0.6 / 3_600;
const PUMP_LITRES_PER_S = 0.5;
const SWAP_KWH_PER_S = 50 / 3_600;
const SHARES = { accelerate: 1.9, cruise: 0.85, brake: 0.25 } as const;
const NEARLY = 1e-6;

interface Look {
  readonly atMs: number;
  readonly wayM: number;
  readonly engine: string;
  readonly kind: keyof typeof SHARES;
  readonly mps2: number;
  readonly speedKph: number;
  readonly store: number;
  readonly packKwh: number;
  readonly ports: readonly (number | undefined)[];
}

function lookAt(vehicle: PersistentVehicle, capacityKwh: number): Look {
  const truth = vehicle.truth();
  const { atMs, distanceM, engine, speedKph } = truth as ReturnType<typeof truthOf>;
  const mg = Number(truth['longitudinalMg']);
  const percent = (name: string) => (typeof truth[name] === 'number' ? Number(truth[name]) : undefined);
  return {
    atMs,
    wayM: distanceM,
    engine,
    mps2: (mg / 1_000) * 9.80665,
    kind: mg > 0 ? 'accelerate' : mg < 0 ? 'brake' : 'cruise',
    speedKph,
    store: Number(truth['energyLeft']),
    packKwh: (capacityKwh * (percent('hybridChargePercent') ?? 0)) / 100,
    ports: [percent('battery1Percent'), percent('battery2Percent')],
  };
}

type Body = NonNullable<ReturnType<typeof MODELS.get>>;

/** Thousands of looks: an expectation for each of them takes long. */
function must(holds: boolean, what: string, before: Look, now: Look): void {
  if (!holds) throw new Error(`${what}: ${JSON.stringify(before)} and then ${JSON.stringify(now)}`);
}

/** What must hold of every look, and between one and the next without an operation in between. */
function expectBalanced(before: Look, now: Look, { body, fuelType }: Body): void {
  const elapsedS = (now.atMs - before.atMs) / 1_000;
  const isElectric = fuelType === 'ELECTRIC';
  const packCapacity = body.hybrid?.capacityKwh ?? 0;
  must(now.store >= 0 && now.store <= body.energyCapacity + NEARLY, 'within the store', before, now);
  must(now.packKwh >= 0 && now.packKwh <= packCapacity + NEARLY, 'within the pack', before, now);
  const used = before.store - now.store;
  const usedKwh = before.packKwh - now.packKwh;
  const chargePerS = (body.chargeKw ?? 0) / 3_600;
  const fillPerS = isElectric ? SWAP_KWH_PER_S : PUMP_LITRES_PER_S;
  const fed = [before.engine, now.engine];
  const mostPerS = Math.max(
    fed.includes('filling') ? fillPerS : 0,
    fed.includes('charging') && isElectric ? chargePerS : 0,
  );
  const packMostPerS = fed.includes('charging') && !isElectric ? chargePerS : 0;
  must(-used <= mostPerS * elapsedS + NEARLY, 'the store rises only at pump and plug', before, now);
  must(-usedKwh <= packMostPerS * elapsedS + NEARLY, 'the pack rises only at the plug', before, now);
  if (before.engine !== now.engine) return;
  if (now.engine === 'off' || now.engine === 'ignition')
    must(
      Math.abs(used) + Math.abs(usedKwh) + now.wayM - before.wayM < NEARLY,
      'nothing is used at rest',
      before,
      now,
    );
  if (now.engine === 'filling')
    must(Math.abs(-used - fillPerS * elapsedS) < NEARLY, 'what the pump gives', before, now);
  if (now.engine === 'charging')
    expectCharged(before, now, isElectric ? body.energyCapacity : packCapacity, body);
  if (now.engine === 'running') expectUsed(before, now, isElectric, body);
}

/** Constant power up to 80 %; above it less and less, down to a tenth. */
function expectCharged(
  before: Look,
  now: Look,
  capacity: number,
  { chargeKw = 0, hybrid }: Body['body'],
): void {
  const [from, to] = hybrid === undefined ? [before.store, now.store] : [before.packKwh, now.packKwh];
  const full = (chargeKw / 3_600) * ((now.atMs - before.atMs) / 1_000);
  if (to <= 0.8 * capacity) must(Math.abs(to - from - full) < 1e-5, 'the power of the plug', before, now);
  else if (to < capacity - 0.01) must(to - from >= full / 10 - 1e-5, 'a tenth of its power', before, now);
}

/** Whether it kept one acceleration, so that its consumption is known. */
function isOneMotion(before: Look, now: Look): boolean {
  const elapsedS = (now.atMs - before.atMs) / 1_000;
  const [fromMps, toMps] = [before.speedKph / 3.6, now.speedKph / 3.6];
  const isEven = Math.abs(toMps - fromMps - now.mps2 * elapsedS) < NEARLY;
  const wayM = ((fromMps + toMps) / 2) * elapsedS;
  return before.kind === now.kind && isEven && Math.abs(now.wayM - before.wayM - wayM) < 1e-5;
}

/** What the way takes by the motion, and the time at idle. */
function expectUsed(before: Look, now: Look, isElectric: boolean, body: Body['body']): void {
  if (now.store <= 0 || before.store <= 0) return;
  const elapsedS = (now.atMs - before.atMs) / 1_000;
  const wayM = now.wayM - before.wayM;
  const [least, most] = isOneMotion(before, now)
    ? [SHARES[now.kind], SHARES[now.kind]]
    : [SHARES.brake, SHARES.accelerate];
  const used = before.store - now.store;
  const ofWay = (body.consumptionPer100Km / 100_000) * wayM;
  const idle = (isElectric ? IDLE_KWH_PER_S : IDLE_LITRES_PER_S) * elapsedS;
  // Either store of a hybrid does its share of the work.
  const packOfWay = ((body.hybrid?.consumptionPer100Km ?? 0) / 100_000) * wayM;
  const usedKwh = before.packKwh - now.packKwh;
  const done = (share: number): number =>
    used / (share * ofWay + idle) + usedKwh / (share * packOfWay + IDLE_KWH_PER_S * elapsedS);
  must(done(least) >= 1 - 1e-4, 'the way takes energy', before, now);
  must(done(most) <= 1 + 1e-4, 'the way takes no more', before, now);
}

const anyPercent = fc.integer({ min: 0, max: 100 });
const anyOperation = fc.oneof(
  fc.record({ kind: fc.constant('refuel' as const), percent: anyPercent }),
  fc.record({ kind: fc.constant('charge' as const), connected: fc.boolean() }),
  fc.record({
    kind: fc.constant('battery' as const),
    port: fc.constantFrom(1, 2),
    percent: fc.option(anyPercent, { nil: undefined }),
  }),
);
const anyDeed = fc.oneof({ weight: 6, arbitrary: anyVehicleStep }, { weight: 2, arbitrary: anyOperation });

/** Waits and looks each second, so that each look is compared with one of the same motion. */
function watched(vehicle: PersistentVehicle, model: Body, fromMs: number, ms: number): number {
  const packKwh = model.body.hybrid?.capacityKwh ?? 0;
  let before = lookAt(vehicle, packKwh);
  // Hours and days at their end only.
  const stepMs = ms > 90_000 ? ms : 1_000;
  for (let atMs = fromMs; atMs < fromMs + ms; ) {
    atMs = Math.min(atMs + stepMs, fromMs + ms);
    vehicle.advance(atMs);
    const now = lookAt(vehicle, packKwh);
    const isParked = before.engine === 'off' && now.engine === 'off' && now.wayM === before.wayM;
    if (stepMs === 1_000 || isParked) expectBalanced(before, now, model);
    before = now;
  }
  return fromMs + ms;
}

type Operation = typeof anyOperation extends fc.Arbitrary<infer One> ? One : never;

/** An operation changes its own store alone, and that exactly, or it is refused and changes nothing. */
function expectOperated(vehicle: PersistentVehicle, operation: Operation, { body }: Body): void {
  const packKwh = body.hybrid?.capacityKwh ?? 0;
  const before = lookAt(vehicle, packKwh);
  const refusal = vehicle.operate(operation);
  const now = lookAt(vehicle, packKwh);
  expect(now.store >= 0 && now.store <= body.energyCapacity + NEARLY, 'within the store').toBe(true);
  expect(now.packKwh).toBe(before.packKwh);
  if (refusal !== undefined || operation.kind === 'charge') {
    expect(now.store).toBe(before.store);
    return;
  }
  expect([before.speedKph, before.engine === 'running']).toEqual([0, false]);
  if (operation.kind === 'refuel') {
    expect(now.store).toBeCloseTo((body.energyCapacity * operation.percent) / 100, 9);
    expect(now.store).toBeGreaterThanOrEqual(before.store - NEARLY);
    return;
  }
  const ports = body.batteryPorts ?? 1;
  const held = now.ports.slice(0, ports).reduce<number>((sum, percent) => sum + (percent ?? 0), 0);
  expect((held / 100 / ports) * body.energyCapacity).toBeCloseTo(now.store, 6);
  expect(now.ports[operation.port - 1] ?? -1).toBeCloseTo(operation.percent ?? -1, 6);
}

/** Just above the level below which a driver fills up, or as drawn. */
const anyShare = fc.constantFrom(undefined, undefined, 0.1005, 0.101, 0.02);

/** Vehicles with two stores, and with batteries in ports, more often than others. */
const anyDriven = fc
  .tuple(anyVehicle, fc.constantFrom(undefined, undefined, 'plug-in-hybrid', 'electric-moped'))
  .map(([{ seed, change }, model]) => ({ seed, change: { ...change, model: model ?? change.model } }));

describe("a vehicle's energy", () => {
  test('is used by the way and the time, comes from pump and plug alone, and stays within its stores', () => {
    const engines = new Set<string>();
    const anyDeeds = fc.array(anyDeed, { minLength: 5, maxLength: 25 });
    fc.assert(
      fc.property(anyDriven, anyDeeds, anyShare, ({ seed, change }, deeds, share) => {
        const model = MODELS.get(change.model);
        if (model === undefined) throw new Error(`no model ${change.model}`);
        const first = vehicleOf(seed, change);
        const memory = { ...first.memory(), energy: model.body.energyCapacity * (share ?? 0) };
        const vehicle = share === undefined ? first : vehicleOf(seed, change, memory);
        const packKwh = model.body.hybrid?.capacityKwh ?? 0;
        let atMs = START_MS;
        for (const deed of deeds) {
          const { engine, store } = lookAt(vehicle, packKwh);
          engines.add(engine);
          if ('kind' in deed) expectOperated(vehicle, deed, model);
          else if (deed[0] === 'wait' || deed[0] === 'sleep')
            atMs = watched(vehicle, model, atMs, Number(deed[1]) % 4_000_000);
          else {
            applyVehicleStep(vehicle, deed, atMs);
            expect(lookAt(vehicle, packKwh).store, deed[0]).toBe(store);
          }
        }
      }),
      { numRuns: 30 },
    );
    expect([...engines].sort()).toEqual(['charging', 'filling', 'ignition', 'off', 'running']);
  });

  test('lasts as long as it is used, and is filled before it is empty, on every model', () => {
    for (const model of MODELS.values()) {
      const vehicle = vehicleOf(11, { model: model.name, driving: true });
      const packKwh = model.body.hybrid?.capacityKwh ?? 0;
      let before = lookAt(vehicle, packKwh);
      let used = 0;
      const beganM = before.wayM;
      for (let minute = 5; minute <= 60 * 4; minute += 5) {
        vehicle.advance(START_MS + minute * 60_000);
        const now = lookAt(vehicle, packKwh);
        used += Math.max(before.store - now.store, 0);
        expect(now.store, model.name).toBeGreaterThanOrEqual(0);
        expect(now.store, model.name).toBeLessThanOrEqual(model.body.energyCapacity + NEARLY);
        before = now;
      }
      const per100Km = (used / (before.wayM - beganM)) * 100_000;
      const nominal = model.body.consumptionPer100Km;
      const share = model.body.hybrid === undefined ? 0.6 : 0.05;
      expect(per100Km, model.name).toBeGreaterThan(nominal * share);
      expect(per100Km, model.name).toBeLessThan(nominal * 2.2);
    }
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODELS } from '../../protocol/models/models.ts';
import { distanceM, turnDegrees } from '../../simulator/arithmetic.ts';
import { spotAt } from '../../simulator/routes/route.ts';
import { ROUTES, routeNamed } from '../../simulator/routes/routes.ts';
import { handlingOf } from '../../simulator/vehicle/driving/handling.ts';
import { MANEUVERS } from '../../simulator/vehicle/driving/maneuver.ts';
import { type AccelerationExtremes, fromMilligravity } from '../../simulator/vehicle/forces.ts';
import { limits } from '../../simulator/vehicle/limits.ts';
import type { PersistentVehicle } from '../../simulator/vehicle/vehicle.ts';
import { anyVehicle, START_MS, truthOf, vehicleOf } from '../support/vehicles/any-vehicle.ts';

const EPSILON = 1e-6;

const anyManeuver = fc.record({
  what: fc.constantFrom(...MANEUVERS),
  rateMps2: fc.integer({ min: 250, max: 750 }).map(fromMilligravity),
});

interface Order {
  readonly waitMs: number;
  readonly do: (vehicle: PersistentVehicle) => void;
  readonly hardestMps2: number;
  readonly name: string;
}

/** A request to a driver, after some time. */
const anyOrder: fc.Arbitrary<Order> = fc
  .tuple(
    fc.integer({ min: 1, max: 120_000 }),
    fc.oneof(
      anyManeuver.map((maneuver) => ({
        name: `${maneuver.what} ${maneuver.rateMps2}`,
        do: (vehicle: PersistentVehicle) => vehicle.maneuver(maneuver),
        hardestMps2: maneuver.rateMps2,
      })),
      fc.integer({ min: 1, max: 10 }).map((tenths) => ({
        name: `pace ${tenths}`,
        do: (vehicle: PersistentVehicle) => vehicle.drive({ pace: tenths / 10 }),
        hardestMps2: 0,
      })),
      fc.constant({ name: 'park', do: (vehicle: PersistentVehicle) => vehicle.park(), hardestMps2: 0 }),
      fc.constant({
        name: 'door',
        do: (vehicle: PersistentVehicle) => vehicle.openDoor(true),
        hardestMps2: 0,
      }),
    ),
  )
  .map(([waitMs, what]) => ({ waitMs, ...what }));

const someOrders = fc.array(anyOrder, { maxLength: 12 });

/** The vehicle after the orders, and the time. */
function told(vehicle: PersistentVehicle, orders: readonly Order[]): number {
  let atMs = START_MS;
  for (const order of orders) {
    atMs += order.waitMs;
    vehicle.advance(atMs);
    order.do(vehicle);
  }
  return atMs;
}

describe('a drive', () => {
  test('moves exactly by the integral of its speed, within the acceleration of engine, brakes and driver', () => {
    fc.assert(
      fc.property(anyVehicle, someOrders, ({ seed, change }, orders) => {
        const vehicle = vehicleOf(seed, { ...change, driving: true });
        const model = MODELS.get(change.model);
        if (model === undefined) throw new Error('no model');
        let atMs = told(vehicle, orders);
        vehicle.drive();
        let before = truthOf(vehicle);
        const hardest = Math.max(limits.stoppingMps2, ...orders.map((order) => order.hardestMps2));
        const engine = model.body.maximumAccelerationMps2;
        for (let step = 0; step < 400; step += 1) {
          atMs += 100;
          vehicle.advance(atMs);
          const now = truthOf(vehicle);
          const wayM = now.distanceM - before.distanceM;
          const [v0, v1] = [before.speedKph / 3.6, now.speedKph / 3.6];
          // The mean of both ends, but for a change of acceleration in between.
          const most = Math.max(hardest, engine);
          expect(Math.abs(wayM - ((v0 + v1) / 2) * 0.1)).toBeLessThanOrEqual((most * 0.01) / 4 + EPSILON);
          expect(v1 - v0).toBeLessThanOrEqual(engine * 0.1 + EPSILON);
          expect(v0 - v1).toBeLessThanOrEqual(hardest * 0.1 + EPSILON);
          expect(distanceM(before, now)).toBeLessThanOrEqual(wayM + 1e-3);
          before = now;
        }
      }),
      { numRuns: 60 },
    );
  });

  test('takes bends and brakes comfortably unless a manoeuvre is requested', () => {
    fc.assert(
      fc.property(anyVehicle, fc.integer({ min: 1, max: 10 }), ({ seed, change }, tenths) => {
        const model = MODELS.get(change.model);
        if (model === undefined) throw new Error('no model');
        const vehicle = vehicleOf(seed, { ...change, driving: true });
        vehicle.drive({ pace: tenths / 10 });
        vehicle.advance(START_MS + 3_600_000);
        const { lateralMg, longitudinalMg } = vehicle.extremes();
        const comfort = handlingOf(model).lateralMps2 + 1e-3;
        for (const mg of lateralMg) expect(Math.abs(fromMilligravity(mg))).toBeLessThanOrEqual(comfort);
        expect(fromMilligravity(longitudinalMg[0])).toBeGreaterThanOrEqual(-limits.brakingMps2 - 1e-3);
        expect(fromMilligravity(longitudinalMg[1])).toBeLessThanOrEqual(model.body.maximumAccelerationMps2);
        expect(longitudinalMg[0]).toBeLessThan(-100);
        expect(longitudinalMg[1]).toBeGreaterThan(50);
        expect(Math.max(...lateralMg.map(Math.abs))).toBeGreaterThan(20);
      }),
      { numRuns: 40 },
    );
  });

  test('has the lateral acceleration that follows from heading and speed', () => {
    fc.assert(
      fc.property(anyVehicle, fc.integer({ min: 1, max: 3_600_000 }), ({ seed, change }, waitMs) => {
        const vehicle = vehicleOf(seed, { ...change, driving: true });
        vehicle.advance(START_MS + waitMs);
        const before = truthOf(vehicle);
        const felt = vehicle.sensors().acceleration;
        vehicle.advance(START_MS + waitMs + 1);
        const now = truthOf(vehicle);
        const turn = (turnDegrees(before.headingDegrees, now.headingDegrees) * Math.PI) / 180;
        // a = v · dψ/dt, unless the arc begins or ends within the millisecond.
        const lateral = fromMilligravity(felt.lateralMg);
        const after = fromMilligravity(vehicle.sensors().acceleration.lateralMg);
        const measured = (before.speedKph / 3.6) * (turn / 0.001);
        const least = Math.min(lateral, after, 0) - 0.05;
        const most = Math.max(lateral, after, 0) + 0.05;
        expect(measured >= least && measured <= most).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('gives the same extremes however often time is advanced, and each sample contains those since the last one', () => {
    fc.assert(
      fc.property(
        anyVehicle,
        someOrders,
        fc.array(fc.integer({ min: 1, max: 60_000 }), { minLength: 1, maxLength: 30 }),
        ({ seed, change }, orders, waits) => {
          const make = () => vehicleOf(seed, { ...change, driving: true });
          const [often, once, looking] = [make(), make(), make()];
          let atMs = START_MS;
          for (const vehicle of [often, once, looking]) atMs = told(vehicle, orders);
          let seen: AccelerationExtremes = looking.extremes();
          for (const wait of waits) {
            atMs += wait;
            often.advance(atMs);
            looking.advance(atMs);
            const part = looking.extremes();
            const join = (a: readonly [number, number], b: readonly [number, number]) =>
              [Math.min(a[0], b[0]), Math.max(a[1], b[1])] as const;
            seen = {
              longitudinalMg: join(seen.longitudinalMg, part.longitudinalMg),
              lateralMg: join(seen.lateralMg, part.lateralMg),
            };
          }
          once.advance(atMs);
          const whole = once.extremes();
          expect(often.truth()).toEqual(once.truth());
          expect(often.extremes()).toEqual(whole);
          expect(seen.longitudinalMg).toEqual(whole.longitudinalMg);
          for (const end of [0, 1] as const) expect(seen.lateralMg[end]).toBeCloseTo(whole.lateralMg[end], 6);
          expect(once.extremes().lateralMg.map(Math.abs)[0]).toBeLessThanOrEqual(
            Math.max(...whole.lateralMg.map(Math.abs)),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  test('carries out a requested manoeuvre once, with the requested acceleration', () => {
    fc.assert(
      fc.property(anyVehicle, anyManeuver, ({ seed, change }, maneuver) => {
        const vehicle = vehicleOf(seed, { ...change, driving: true });
        vehicle.extremes();
        const isAccepted = vehicle.maneuver(maneuver);
        // One route is straight from end to end, and the sharpest bends are in streets where one drives slowly.
        const isUsual = change.route.startsWith('berlin') && maneuver.rateMps2 < fromMilligravity(600);
        if (maneuver.what !== 'harsh-cornering' || isUsual) expect(isAccepted).toBe(true);
        fc.pre(isAccepted);
        let atMs = START_MS;
        const lateral = maneuver.what === 'harsh-cornering';
        let most = 0;
        let times = 0;
        const comfort = 260;
        // A moped that must stop at a filling station, and a round of red lights, take their time.
        while (atMs < START_MS + 7_200_000) {
          atMs += 1_000;
          vehicle.advance(atMs);
          const felt = vehicle.extremes();
          const mg = lateral ? Math.max(-felt.lateralMg[0], felt.lateralMg[1]) : -felt.longitudinalMg[0];
          if (fromMilligravity(mg) > maneuver.rateMps2 * 0.97) times += 1;
          most = Math.max(most, mg);
        }
        const wanted = maneuver.rateMps2;
        if (wanted > fromMilligravity(300)) {
          expect(fromMilligravity(most)).toBeGreaterThan(wanted * 0.96);
          expect(times, 'not again and again').toBeLessThan(20);
        }
        expect(fromMilligravity(most)).toBeLessThanOrEqual(
          Math.max(wanted, fromMilligravity(comfort + 30)) * 1.001,
        );
        expect(vehicle.truth()['maneuver']).toBeNull();
      }),
      { numRuns: 40 },
    );
  });

  test('can be moved to another route only while it stands, and the move does not count as mileage', () => {
    fc.assert(
      fc.property(
        anyVehicle,
        fc.constantFrom(...ROUTES.keys()),
        fc.integer({ min: 0, max: 600_000 }),
        ({ seed, change }, name, waitMs) => {
          const vehicle = vehicleOf(seed, { ...change, driving: true });
          vehicle.advance(START_MS + waitMs);
          const moving = truthOf(vehicle);
          vehicle.drive({ route: 'nowhere' });
          vehicle.drive({ route: name });
          if (moving.speedKph > 0) expect(vehicle.truth()['route']).toBe(change.route);
          vehicle.park();
          vehicle.advance(START_MS + waitMs + 60_000);
          const standing = truthOf(vehicle);
          const other = [...ROUTES.keys()].find((one) => one !== vehicle.truth()['route']) ?? name;
          vehicle.drive({ route: other });
          expect(vehicle.truth()['route']).toBe(other);
          expect(truthOf(vehicle).mileageKm).toBe(standing.mileageKm);
          expect(distanceM(truthOf(vehicle), spotAt(routeNamed(other), 0))).toBeLessThan(0.01);
          vehicle.advance(START_MS + waitMs + 600_000);
          const again = vehicleOf(seed, change, vehicle.memory(), START_MS + waitMs + 600_000);
          expect(again.truth()['route']).toBe(other);
          expect(distanceM(truthOf(again), truthOf(vehicle))).toBeLessThan(0.01);
          // Another plan counts more than what was chosen under the one before.
          const plan = [...ROUTES.keys()].find((one) => one !== change.route && one !== other);
          if (plan === undefined) return;
          const replanned = vehicleOf(seed, { ...change, route: plan }, vehicle.memory());
          expect(replanned.truth()['route']).toBe(plan);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('with a lower speed share never exceeds that share of the speed limit', () => {
    fc.assert(
      fc.property(anyVehicle, fc.integer({ min: 1, max: 10 }), ({ seed, change }, tenths) => {
        const vehicle = vehicleOf(seed, { ...change, driving: false });
        vehicle.actuate({ set: 'locked', to: false });
        vehicle.actuate({ set: 'drivingEnabled', to: true });
        vehicle.drive({ pace: tenths / 10 });
        const fastest = Math.max(...routeNamed(change.route).corners.map((each) => each.limitKph));
        for (let second = 1; second < 900; second += 1) {
          vehicle.advance(START_MS + second * 1_000);
          expect(truthOf(vehicle).speedKph).toBeLessThanOrEqual((fastest * tenths) / 10 + EPSILON);
        }
        expect(truthOf(vehicle).distanceM).toBeGreaterThan(100 * tenths);
      }),
      { numRuns: 20 },
    );
  });

  test('of a locked or immobilised vehicle does not begin, whatever its driver is requested to do', () => {
    fc.assert(
      fc.property(
        anyVehicle,
        anyManeuver,
        fc.constantFrom(...ROUTES.keys()),
        ({ seed, change }, maneuver, route) => {
          const vehicle = vehicleOf(seed, { ...change, driving: false });
          vehicle.maneuver(maneuver);
          vehicle.drive({ route, pace: 1 });
          vehicle.maneuver(maneuver);
          vehicle.advance(START_MS + 3_600_000);
          expect(truthOf(vehicle)).toMatchObject({ distanceM: 0, speedKph: 0 });
          expect(vehicle.extremes()).toEqual({ longitudinalMg: [0, 0], lateralMg: [0, 0] });
        },
      ),
      { numRuns: 40 },
    );
  });
});

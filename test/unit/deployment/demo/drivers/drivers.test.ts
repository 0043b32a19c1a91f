import { describe, expect, test } from 'vitest';
import type { Vehicle } from '../../../../../backend/store/port/stored-vehicle.ts';
import type { DrivenVehicle } from '../../../../../deployment/demo/drivers/driver.ts';
import { startDrivers } from '../../../../../deployment/demo/drivers/drivers.ts';
import { VehicleTurns } from '../../../../../deployment/demo/drivers/vehicle-turns.ts';
import { limits } from '../../../../../deployment/shared/limits.ts';
import { MODELS } from '../../../../../protocol/models/models.ts';
import { petrolCompact } from '../../../../../protocol/models/petrol-compact.ts';
import { driverPlan } from '../../../../../simulator/drivers/driver-plan.ts';
import { makeVehicle } from '../../../../../simulator/vehicle/vehicle.ts';
import { VirtualLoop } from '../../../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../../../world/loop/virtual-process-scope.ts';
import { seededRandom } from '../../../../../world/random/seeded-random.ts';
import { sleep } from '../../../../../world/time/time.ts';
import { virtualTime } from '../../../../../world/time/virtual-time.ts';
import { boxVehicle as record } from '../../../../support/backend/ingest-input.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

function changed(before: Vehicle, value: Vehicle['rentalStatus']['value'], modifiedMs: number): Vehicle {
  return { ...before, rentalStatus: { value, modifiedMs }, revision: before.revision + 1 };
}

/** Some vehicles, and a service that says yes after a second, unless `refuses` says otherwise; 429 is tried again once. */
function scene(
  count: number,
  refuses: (path: string) => number | undefined = () => undefined,
  capabilities: readonly string[] = ['UNLOCK_AND_ENABLE_DRIVING', 'LOCK_AND_DISABLE_DRIVING'],
) {
  const loop = new VirtualLoop();
  let alarms = 0;
  const clock = virtualTime(loop, new ProcessScope('drivers'));
  const time: typeof clock = {
    nowMs: clock.nowMs,
    alarm: (dueMs, wake) => {
      let isSet = true;
      alarms += 1;
      const unset = () => {
        if (isSet) alarms -= 1;
        isSet = false;
      };
      const cancel = clock.alarm(dueMs, () => {
        unset();
        wake();
      });
      return () => {
        unset();
        cancel();
      };
    },
  };
  const random = seededRandom(7);
  const records = new Map<string, Vehicle>();
  const vehicles = new Map<string, ReturnType<typeof makeVehicle>>();
  const unrented: string[] = [];
  /** How often a rental was changed. */
  const rentals = new Map<string, number>();
  let calls = 0;
  let atOnce = 0;
  const turns = new VehicleTurns();
  const commanded: string[] = [];
  const fleet = Array.from({ length: count }, (_, place): DrivenVehicle => {
    const vehicleId = `V${String(place).padStart(4, '0')}`;
    const model = [...MODELS.values()][place % MODELS.size] ?? petrolCompact;
    const plan = {
      boxId: vehicleId,
      model: model.name,
      route: 'berlin-west',
      startFraction: 0,
      driving: false,
    };
    const made = makeVehicle(plan, random, loop.nowMs);
    const now = () => {
      made.advance(loop.nowMs);
      return made;
    };
    vehicles.set(vehicleId, made);
    records.set(vehicleId, record({ id: vehicleId, fleetId: 'FLEET1', model: model.name }));
    return {
      vehicleId,
      model,
      plan: driverPlan(random, vehicleId, place),
      otherIds: [`box-${place}`],
      truth: () => now().truth(),
      isReachable: () => true,
      drive: () => {
        if (records.get(vehicleId)?.rentalStatus.value !== 'IN_RENTAL') unrented.push(vehicleId);
        now().drive();
      },
      park: () => now().park(),
      operate: (deed) => void now().operate(deed),
    };
  });
  const drivers = startDrivers({
    time,
    log: silent as never,
    fleet,
    turns,
    service: {
      find: async (id) => records.get(id),
      capabilitiesOf: () => capabilities,
      call: async (
        method,
        path,
        { body, revision, inTurn = (send: () => Promise<Response>) => send() } = {},
      ) => {
        const attempt = () =>
          inTurn(async () => {
            calls += 1;
            atOnce = Math.max(atOnce, calls);
            if (method === 'POST') commanded.push(path.split('/')[2] ?? '');
            await sleep(clock, 1_000);
            calls -= 1;
            const refusal = refuses(path);
            if (refusal !== undefined) return new Response(null, { status: refusal });
            const id = path.split('/')[2] ?? '';
            const before = records.get(id);
            if (method === 'PATCH' && before !== undefined) {
              if (revision !== undefined && revision !== before.revision)
                return new Response(null, { status: 412 });
              const { value } = (body as { rental_status: Vehicle['rentalStatus'] }).rental_status;
              records.set(id, changed(before, value, loop.nowMs));
              rentals.set(id, (rentals.get(id) ?? 0) + 1);
            } else {
              const to = path.includes('unlock');
              vehicles.get(id)?.advance(loop.nowMs);
              vehicles.get(id)?.actuate({ set: 'locked', to: !to });
              vehicles.get(id)?.actuate({ set: 'drivingEnabled', to });
            }
            return new Response(null, { status: 200 });
          });
        const answer = await attempt();
        if (answer?.status !== 429) return answer;
        await sleep(clock, MINUTE_MS);
        return attempt();
      },
    },
  });
  const pass = (ms: number) => loop.runUntil(loop.nowMs + ms);
  /** How far it has been driven. */
  const wayM = (id: string) => {
    vehicles.get(id)?.advance(loop.nowMs);
    return Number(vehicles.get(id)?.truth()['distanceM']);
  };
  const rent = (id: string, value: Vehicle['rentalStatus']['value']) => {
    const before = records.get(id);
    if (before !== undefined) records.set(id, changed(before, value, loop.nowMs));
  };
  const plans = new Map(fleet.map(({ vehicleId, plan }) => [vehicleId, plan]));
  return {
    loop,
    drivers,
    pass,
    wayM,
    rent,
    plans,
    unrented,
    turns,
    commanded,
    ids: [...records.keys()],
    rentals: (id: string) => rentals.get(id) ?? 0,
    rentalOf: (id: string) => records.get(id)?.rentalStatus.value,
    atOnce: () => atOnce,
    alarms: () => alarms,
  };
}

/** A vehicle that nobody lets stand for days within that time. */
function busyOne({ ids, plans, loop }: ReturnType<typeof scene>, forMs: number): string {
  const found = ids.find((id) => {
    for (let atMs = 0; atMs < forMs; atMs += HOUR_MS)
      if (plans.get(id)?.at(loop.nowMs + atMs).kind === 'rest') return false;
    return true;
  });
  if (found === undefined) throw new Error('all of them stand for days');
  return found;
}

describe('the drivers', () => {
  test('of hundreds of vehicles need one alarm, and make few calls at once', async () => {
    const all = scene(300);
    for (let minute = 0; minute < 40; minute += 1) {
      await all.pass(MINUTE_MS);
      expect(all.alarms()).toBeLessThanOrEqual(1);
    }
    expect(all.atOnce()).toBeLessThanOrEqual(limits.driversAtOnce);
    expect(all.ids.filter((id) => all.wayM(id) > 500).length).toBeGreaterThan(120);
    expect(all.unrented).toEqual([]);
    all.drivers.end();
    expect(all.alarms()).toBe(0);
  });

  test('do not use a vehicle for a day after a command or a control action, by any of its ids', async () => {
    const all = scene(16);
    await all.pass(5 * MINUTE_MS);
    const id = busyOne(all, 60 * HOUR_MS);
    // Until it stands.
    while (all.rentalOf(id) === 'IN_RENTAL') await all.pass(MINUTE_MS);
    const other = busyOne({ ...all, ids: all.ids.filter((one) => one !== id) }, HOUR_MS);
    all.drivers.answered({ method: 'POST', path: `/vehicles/${id}/commands/lock-central-lock`, status: 200 });
    const beganM = all.wayM(id);
    const otherM = all.wayM(other);
    for (let hour = 0; hour < 23; hour += 1) {
      await all.pass(HOUR_MS);
      expect(all.wayM(id)).toBe(beganM);
      expect(all.rentalOf(id)).toBe('NOT_IN_RENTAL');
    }
    expect(all.wayM(other)).toBeGreaterThan(otherM);
    await all.pass(8 * HOUR_MS);
    expect(all.wayM(id)).toBeGreaterThan(beganM);
    while (all.rentalOf(id) === 'IN_RENTAL') await all.pass(MINUTE_MS);
    const place = all.ids.indexOf(id);
    all.drivers.controlled({ method: 'POST', path: `/boxes/box-${place}/brown-out`, status: 200 });
    const pulledM = all.wayM(id);
    await all.pass(6 * HOUR_MS);
    expect(all.wayM(id)).toBe(pulledM);
  });

  test('do not use a vehicle whose rental a client has changed, and do not end that rental', async () => {
    const all = scene(16);
    await all.pass(5 * MINUTE_MS);
    const id = busyOne(all, 40 * HOUR_MS);
    while (all.rentalOf(id) === 'IN_RENTAL') await all.pass(MINUTE_MS);
    all.rent(id, 'IN_RENTAL');
    const beganM = all.wayM(id);
    await all.pass(23 * HOUR_MS);
    expect(all.rentalOf(id)).toBe('IN_RENTAL');
    expect(all.wayM(id)).toBe(beganM);
    await all.pass(8 * HOUR_MS);
    expect(all.wayM(id)).toBeGreaterThan(beganM);
  });

  test('do not drive vehicles that they could not rent or open, and return those that they cannot lock', async () => {
    const unrentable = scene(16, (path) => (path.includes('/commands/') ? undefined : 503));
    await unrentable.pass(2 * HOUR_MS);
    expect(unrentable.ids.filter((id) => unrentable.wayM(id) > 0)).toEqual([]);
    const unopened = scene(16, (path) => (path.includes('/unlock-') ? 504 : undefined));
    await unopened.pass(2 * HOUR_MS);
    expect(unopened.ids.filter((id) => unopened.wayM(id) > 0)).toEqual([]);
    // Once for each trip that the plan has, and not again and again while it lasts.
    expect(Math.max(...unopened.ids.map(unopened.rentals))).toBeLessThan(30);
    const unable = scene(16, () => undefined, []);
    await unable.pass(2 * HOUR_MS);
    expect(unable.ids.filter((id) => unable.wayM(id) > 0 || unable.rentals(id) > 0)).toEqual([]);
    const unlocked = scene(16, (path) => (path.includes('/lock-') ? 504 : undefined));
    const returned = new Set<string>();
    for (let minute = 0; minute < 240; minute += 1) {
      await unlocked.pass(MINUTE_MS);
      for (const id of unlocked.ids)
        if (unlocked.wayM(id) > 0 && unlocked.rentalOf(id) === 'NOT_IN_RENTAL') returned.add(id);
    }
    expect(returned.size).toBeGreaterThan(5);
  });

  test('leave a vehicle alone while a client has a request of it under way, and go on afterwards', async () => {
    const all = scene(16);
    const held = Promise.withResolvers<void>();
    const requests = all.ids.map((id) => all.turns.ofClient(id, () => held.promise));
    await all.pass(10 * MINUTE_MS);
    expect(all.commanded).toEqual([]);
    expect(all.ids.filter((id) => all.wayM(id) > 0 || all.rentals(id) > 0)).toEqual([]);
    held.resolve();
    await Promise.all(requests);
    await all.pass(10 * MINUTE_MS);
    expect(all.ids.filter((id) => all.wayM(id) > 0).length).toBeGreaterThan(3);
  });

  test('do not drive off in front of a client whose request waits for their command', async () => {
    const all = scene(16);
    // The first have been rented after a second, and their commands are under way for another.
    await all.pass(1_500);
    const id = all.commanded[0] ?? '';
    const held = Promise.withResolvers<void>();
    let isSent = false;
    const request = all.turns.ofClient(id, () => {
      isSent = true;
      return held.promise;
    });
    await all.pass(400);
    expect(isSent).toBe(false);
    await all.pass(2 * MINUTE_MS);
    expect({ isSent, wayM: all.wayM(id) }).toEqual({ isSent: true, wayM: 0 });
    held.resolve();
    await request;
    await all.pass(2 * MINUTE_MS);
    expect(all.wayM(id)).toBeGreaterThan(0);
  });

  test('do not drive off with a vehicle whose rental a client has changed during their command', async () => {
    const all = scene(16);
    await all.pass(1_500);
    const id = all.commanded[0] ?? '';
    all.rent(id, 'IN_RENTAL');
    await all.pass(10 * MINUTE_MS);
    expect({ rental: all.rentalOf(id), wayM: all.wayM(id) }).toEqual({ rental: 'IN_RENTAL', wayM: 0 });
  });

  test.each([
    [
      'moved',
      (all: ReturnType<typeof scene>, id: string) => {
        const path = `/vehicles/${id}/commands/unlock-central-lock`;
        all.drivers.answered({ method: 'POST', path, status: 200 });
      },
    ],
    ['rented', (all: ReturnType<typeof scene>, id: string) => all.rent(id, 'IN_RENTAL')],
  ])(
    'send no command after a wait for their quota to a vehicle that a client has %s meanwhile',
    async (_, take) => {
      let refused = 0;
      const all = scene(16, (path) => (path.includes('/commands/') && refused++ < 1 ? 429 : undefined));
      await all.pass(2_500);
      const id = all.commanded[0] ?? '';
      take(all, id);
      await all.pass(10 * MINUTE_MS);
      expect(all.commanded.filter((one) => one === id).length).toBe(1);
      expect({ rental: all.rentalOf(id), wayM: all.wayM(id) }).toEqual({ rental: 'IN_RENTAL', wayM: 0 });
    },
  );
});

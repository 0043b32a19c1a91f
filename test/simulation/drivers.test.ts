import { describe, expect, test } from 'vitest';
import { limits } from '../../simulator/drivers/limits.ts';
import { beginnings, drivenStage, type Look } from './drivers-stage.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const drives = (look: Look) => look.drives;
const isRented = (look: Look) => look.isRented;

describe('the drivers of a fleet', () => {
  test('rent a vehicle for each trip and give it back locked, and tell both in messages', async () => {
    const { stage, drive, watch, parkedId, close } = await drivenStage(21);
    const drivers = await drive();
    const looks = await watch(90 * MINUTE_MS);
    let trips = 0;
    for (const { vehicleId } of looks[0] ?? []) {
      const of = looks.map((all) => all.find((look) => look.vehicleId === vehicleId));
      for (const look of of) if (look?.drives) expect(look.isRented, `${vehicleId} drives`).toBe(true);
      trips += beginnings(looks, vehicleId, drives);
      const last = of.at(-1);
      if (last?.isRented === false) {
        expect(last.truth['drivingEnabled'], vehicleId).toBe(false);
        if (last.truth['locked'] !== undefined) expect(last.truth['locked'], vehicleId).toBe(true);
      }
    }
    expect(trips).toBeGreaterThan(12);
    expect(looks.filter((all) => all.some(drives)).length).toBeGreaterThan(looks.length * 0.9);
    const changes = stage.world.exchangeBroker
      .messages(stage.queueOf('VehicleDataChanged_v1'))
      .map(({ body }) => JSON.parse(new TextDecoder().decode(body)) as { data: Record<string, unknown> });
    const rentals = looks[0]?.reduce((sum, { vehicleId }) => sum + beginnings(looks, vehicleId, isRented), 0);
    const begun = changes.filter(({ data }) => JSON.stringify(data).includes('"IN_RENTAL"'));
    expect(begun.length).toBeGreaterThanOrEqual(rentals ?? 0);
    const stood = looks.map((all) => all.find((look) => look.vehicleId === parkedId)?.truth['distanceM']);
    expect(new Set(stood)).toEqual(new Set([0]));
    await close(drivers);
  });

  test('charge and fill up what is low, and drive it again', async () => {
    const { drive, watch, close } = await drivenStage(22, 13);
    const drivers = await drive();
    const looks = await watch(15 * HOUR_MS, 5 * MINUTE_MS);
    const fed = new Set<string>();
    for (const { vehicleId } of looks[0] ?? []) {
      let before: Look | undefined;
      let lowSinceMs: number | undefined;
      for (const all of looks) {
        const look = all.find((one) => one.vehicleId === vehicleId);
        const percent = Number(look?.truth['energyPercent']);
        if (before !== undefined && percent > Number(before.truth['energyPercent']) + 10) fed.add(vehicleId);
        if (percent >= limits.lowPercent) lowSinceMs = undefined;
        else lowSinceMs ??= look?.atMs;
        // A trip, its end, and a charge of some percent: no vehicle stays low for longer than that.
        const lowMs = lowSinceMs === undefined ? 0 : Number(look?.atMs) - lowSinceMs;
        expect(lowMs, `${vehicleId} is low`).toBeLessThan(3 * HOUR_MS);
        before = look;
      }
    }
    expect(fed.size).toBeGreaterThan(3);
    await close(drivers);
  });

  test('leave alone what a client has rented, moved by a command, or moved by a lever', async () => {
    const { stage, world, drive, watch, look, close } = await drivenStage(23);
    const drivers = await drive();
    const token = await world.run(() => stage.token());
    const called = async (method: 'PATCH' | 'POST', path: string, body?: object) => {
      const answer = await world.run(() =>
        stage.call(method, path, token, body === undefined ? undefined : JSON.stringify(body)),
      );
      drivers.answered({ method, path, status: answer.status });
      return answer.status;
    };
    await watch(30 * MINUTE_MS, MINUTE_MS);
    const parked = async () =>
      (await look())
        .filter(
          ({ drives, isRented, vehicleId }) =>
            !drives &&
            !isRented &&
            stage.plans.some((plan) => plan.vehicleId === vehicleId && plan.model !== 'electric-moped'),
        )
        .map(({ vehicleId }) => vehicleId);
    const [rented = ''] = await parked();
    expect(await called('PATCH', `/vehicles/${rented}`, { rental_status: { value: 'IN_RENTAL' } })).toBe(200);
    const [moved = ''] = (await parked()).filter((id) => id !== rented);
    expect(await called('POST', `/vehicles/${moved}/commands/unlock-central-lock`)).toBe(200);
    const box = [...stage.fleet.boxes.values()].find(({ plan }) => ![rented, moved].includes(plan.vehicleId));
    if (box === undefined) throw new Error('no third vehicle');
    drivers.pulled({ method: 'POST', path: `/boxes/${box.plan.boxId}/park`, status: 200 });
    box.park();
    await world.pass(MINUTE_MS);
    const ways = async () =>
      Object.fromEntries((await look()).map(({ vehicleId, truth }) => [vehicleId, truth['distanceM']]));
    const before = await ways();
    const looks = await watch(3 * HOUR_MS, MINUTE_MS);
    const after = await ways();
    const alone = [rented, moved, box.plan.vehicleId];
    for (const id of alone) expect(after[id], id).toBe(before[id]);
    const of = (id: string) => looks.map((all) => all.find((one) => one.vehicleId === id));
    expect(of(rented).every((one) => one?.isRented)).toBe(true);
    expect(of(moved).every((one) => one?.truth['locked'] === false && !one.isRented)).toBe(true);
    expect(Object.keys(after).filter((id) => after[id] !== before[id]).length).toBeGreaterThan(3);
    await close(drivers);
  });

  test('go on with what an ended program has left in the middle of its trips', async () => {
    const { world, drive, watch, look, close } = await drivenStage(24);
    const first = await drive();
    await watch(25 * MINUTE_MS, MINUTE_MS);
    const under = (await look()).filter((one) => one.drives).length;
    expect(under).toBeGreaterThan(1);
    // The program ends in the middle of the trips: vehicles drive, rentals run.
    await world.run(() => first.end());
    await world.pass(2 * HOUR_MS);
    const second = await drive();
    const looks = await watch(HOUR_MS);
    for (const all of looks.slice(6))
      for (const one of all) if (one.drives) expect(one.isRented, one.vehicleId).toBe(true);
    const ends = (await look()).filter(
      ({ vehicleId }) => beginnings(looks, vehicleId, (one) => !one.isRented) > 0,
    );
    expect(ends.length).toBeGreaterThan(1);
    await close(second);
  });
});

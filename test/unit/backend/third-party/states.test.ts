import { describe, expect, test } from 'vitest';
import { notificationSecret } from '../../../../backend/third-party/signature.ts';
import { carStateOf } from '../../../../simulator/maker-cloud/car-reading.ts';
import { virtualCrypto } from '../../../../world/crypto/virtual-crypto.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { ServiceWithMakerCloud } from '../../../support/backend/service-with-maker-cloud.ts';

/** MACs are the same in every world. */
const crypto = virtualCrypto(seededRandom(1).stream('seal'));
const SECRET = notificationSecret(crypto, 'northwind', 'key-northwind');

/** Tells the service of a state as the maker would, unless said otherwise. */
async function notify(
  stage: ServiceWithMakerCloud,
  state: unknown,
  change: { readonly secret?: string; readonly ageS?: number; readonly maker?: string } = {},
) {
  const body = JSON.stringify({ event: 'STATE', state });
  const second = Math.floor(stage.nowMs / 1_000) - (change.ageS ?? 0);
  const { status } = await stage.fleet.world.http.call({
    method: 'POST',
    url: `http://service.virtual/third-party/${change.maker ?? 'northwind'}/notifications`,
    headers: {
      'content-type': 'application/json',
      'x-northwind-signature': `t=${second},v1=${crypto.mac(change.secret ?? SECRET, `${second}.${body}`)}`,
    },
    body,
    timeoutMs: 5_000,
    maxBodyBytes: 10_000,
  });
  return status;
}

describe('a state sent by a maker', () => {
  test('arrives within a second, each state with one message', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      const before = stage.messages(stage.parked).length;
      await stage.command(stage.parked, 'unlock-central-lock');
      stage.parked.change((vehicle) => vehicle.openDoor(true));
      await stage.wait(1_000);
      expect((await stage.vehicle(stage.parked)).state['doors_status']?.value).toBe('OPEN');
      expect(stage.messages(stage.parked)).toHaveLength(before + 2);
      await stage.wait(5 * 60_000);
      // Polls have seen it again meanwhile.
      expect(stage.count('known')).toBeGreaterThan(3);
      expect(stage.messages(stage.parked)).toHaveLength(before + 2);
    }));

  test('is found by a poll within a minute if the maker sends no notification', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      stage.push(false);
      stage.parked.change((vehicle) => vehicle.turnIgnition(true));
      await stage.wait(65_000);
      expect((await stage.vehicle(stage.parked)).state['ignition']?.value).toBe('ON');
      expect(stage.messages(stage.parked).at(-1)?.data.vehicle_state.ignition?.value).toBe('ON');
    }));

  test('that is repeated or older changes nothing and leads to no message', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      const { carId } = stage.parked.plan;
      const { takenMs, reading } = stage.parked.last;
      const newer = carStateOf(carId, { takenMs: takenMs + 3_000, reading: { ...reading, doors: 'AJAR' } });
      const older = carStateOf(carId, { takenMs: takenMs + 2_000, reading: { ...reading, doors: 'SHUT' } });
      const before = stage.messages(stage.parked).length;
      expect([await notify(stage, newer), await notify(stage, newer), await notify(stage, older)]).toEqual([
        204, 204, 204,
      ]);
      await stage.wait(1_000);
      expect((await stage.vehicle(stage.parked)).state['doors_status']?.value).toBe('OPEN');
      expect(stage.messages(stage.parked)).toHaveLength(before + 1);
      expect(stage.count('known')).toBeGreaterThanOrEqual(2);
    }));

  test('of a vehicle that is not linked is ignored and counted', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      const { takenMs, reading } = stage.parked.last;
      expect(await notify(stage, carStateOf('car_of_somebody', { takenMs, reading }))).toBe(204);
      expect(stage.count('unlinked')).toBe(1);
    }));

  test('without a valid and current signature is refused', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      const { takenMs, reading } = stage.parked.last;
      const state = carStateOf(stage.parked.plan.carId, { takenMs: takenMs + 1_000, reading });
      expect(await notify(stage, state, { secret: 'another' })).toBe(401);
      expect(await notify(stage, state, { ageS: 301 })).toBe(401);
      expect(await notify(stage, state, { ageS: -400 })).toBe(401);
      expect(await notify(stage, state, { maker: 'nobody' })).toBe(404);
      expect(await notify(stage, { ...state, takenAt: 'noon' })).toBe(400);
      expect(await notify(stage, carStateOf('car', { takenMs: stage.nowMs + 600_000, reading }))).toBe(400);
      expect(await notify(stage, state)).toBe(204);
    }));

  test('that arrives while a command is open is sent again after its answer', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      stage.calls({ manner: 'slow', delay_in_milliseconds: 3_000 });
      const command = stage.command(stage.parked, 'unlock-central-lock');
      await stage.wait(500);
      const { takenMs, reading } = stage.parked.last;
      const state = carStateOf(stage.parked.plan.carId, { takenMs: takenMs + 1_000, reading });
      expect(await notify(stage, state)).toBe(409);
      expect((await command).status).toBe(200);
    }));

  test('is received again after the cloud has lost its notification address', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      const { status } = await stage.fleet.world.http.call({
        method: 'PUT',
        url: 'http://northwind.virtual/subscription',
        headers: { 'content-type': 'application/json', 'x-api-key': 'key-northwind' },
        body: JSON.stringify({ url: 'http://somebody.virtual/', secret: 'a secret of somebody' }),
        timeoutMs: 5_000,
        maxBodyBytes: 10_000,
      });
      expect(status).toBe(204);
      const heard = stage.count('notifications');
      await stage.wait(11 * 60_000);
      stage.parked.change((vehicle) => vehicle.turnIgnition(true));
      await stage.wait(1_000);
      expect(stage.count('notifications')).toBeGreaterThan(heard);
    }));
});

describe('polling', () => {
  test('slows down for a maker that fails, and finds missed states', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      stage.push(false);
      stage.calls({ manner: 'error', status: 503 });
      const from = stage.count('polls');
      await stage.wait(10 * 60_000);
      const early = stage.count('polls') - from;
      await stage.wait(50 * 60_000);
      const late = stage.count('polls') - from - early;
      expect(early).toBeLessThan(14);
      expect(late).toBeLessThan(14);
      stage.parked.change((vehicle) => vehicle.turnIgnition(true));
      stage.calls({ manner: 'right' });
      await stage.wait(16 * 60_000);
      expect((await stage.vehicle(stage.parked)).state['ignition']?.value).toBe('ON');
    }));

  test('waits as long as the maker requires', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      stage.calls({ manner: 'rate-limit', retry_after_in_seconds: 600 });
      await stage.wait(61_000);
      const polls = stage.count('polls');
      stage.calls({ manner: 'right' });
      await stage.wait(8 * 60_000);
      expect(stage.count('polls')).toBe(polls);
      await stage.wait(3 * 60_000);
      expect(stage.count('polls')).toBeGreaterThan(polls);
    }));

  test('continues after a crash of the service', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      stage.fleet.crashService();
      stage.push(false);
      stage.parked.change((vehicle) => vehicle.turnIgnition(true));
      await stage.wait(5_000);
      await stage.fleet.restartService();
      await stage.wait(61_000);
      expect((await stage.vehicle(stage.parked)).state['ignition']?.value).toBe('ON');
    }));
});

describe('the life status of such a vehicle', () => {
  test('depends on its last contact through its maker', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      expect(await stage.shown(stage.parked)).toMatchObject({
        life_status: { value: 'ONLINE' },
        telematics_unit: null,
        setup_status: 'SUCCEEDED',
      });
      stage.parked.sleep(true);
      await stage.wait(37 * 60_000);
      expect(await stage.shown(stage.parked)).toMatchObject({ life_status: { value: 'STANDBY' } });
      await stage.wait(40 * 60_000);
      expect(await stage.shown(stage.parked)).toMatchObject({ life_status: { value: 'OFFLINE' } });
      stage.parked.sleep(false);
      await stage.wait(1_000);
      expect(await stage.shown(stage.parked)).toMatchObject({ life_status: { value: 'ONLINE' } });
    }));

  test('has the time since when it is online: from the first contact until it was silent for too long', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      const since = async () => {
        const { value, modified_at } = (await stage.shown(stage.parked))['life_status'] as Record<
          string,
          unknown
        >;
        expect(value).toBe('ONLINE');
        return Date.parse(String(modified_at));
      };
      const first = await since();
      expect(stage.nowMs - first).toBeLessThan(10_000);
      await stage.wait(20 * 60_000);
      expect(await since()).toBe(first);
      stage.parked.sleep(true);
      await stage.wait(40 * 60_000);
      stage.parked.sleep(false);
      await stage.wait(1_000);
      expect(stage.nowMs - (await since())).toBeLessThan(3_000);
    }));
});

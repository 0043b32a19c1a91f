import { describe, expect, test } from 'vitest';

import { controlApp } from '../../../../simulator/control/app.ts';
import { limits } from '../../../../simulator/limits.ts';
import { TestFleet } from '../../../support/simulation/test-fleet.ts';
import { fakeTap } from '../../../support/simulator/fake-fleet.ts';

type Body = Readonly<Record<string, unknown>>;

/** The control API over a fleet of six whose first vehicle has been parked. */
async function stage() {
  const testbed = new TestFleet({ seed: 33, vehicles: 6 });
  const { world } = testbed;
  await world.run(() => testbed.raise());
  const [box, other] = testbed.boxes.filter((one) => one.plan.driving && one.truth()['locked'] !== undefined);
  if (box === undefined || other === undefined) throw new Error('no cars');
  box.park();
  await world.runFor(60_000);
  const app = controlApp(testbed.fleet, fakeTap());
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await world.run(async () =>
      app.request(path, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      }),
    );
    const text = await response.text();
    const told = text === '' ? {} : (JSON.parse(text) as Body);
    return { status: response.status, body: told, allow: response.headers.get('allow') };
  };
  const at = `/boxes/${box.plan.vehicleId}`;
  const issue = async (order: Body = {}, path = at) => {
    const { status, body } = await call('POST', `${path}/bluetooth-tokens`, order);
    expect(status).toBe(201);
    return { id: String(body['token_id']), token: String(body['token']), body };
  };
  const ask = (token: string, action: string, path = at) =>
    call('POST', `${path}/bluetooth`, { token, action });
  return { testbed, world, box, other, at, call, issue, ask };
}

describe('Bluetooth in the control API', () => {
  test('creates a token with which a phone operates the vehicle without coverage', async () => {
    const { world, box, at, call, issue, ask } = await stage();
    const { id, token, body } = await issue({ valid_for_s: 600, allows: ['unlock', 'lock'], uses: 2 });
    expect(id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    expect(body).toMatchObject({ allows: ['unlock', 'lock'], uses: 2 });
    const leftMs = Date.parse(String(body['expires_at'])) - world.time.nowMs();
    expect(leftMs > 598_000 && leftMs <= 600_000).toBe(true);
    box.setCoverage(false);
    await world.runFor(5_000);
    expect(await ask(token, 'lock')).toMatchObject({ status: 200, body: { outcome: 'done' } });
    expect(box.truth()).toMatchObject({ locked: true });
    const named = { token, action: 'unlock', device: "Ada's phone" };
    expect((await call('POST', `${at}/bluetooth`, named)).body).toMatchObject({ truth: { locked: false } });
    expect(await ask(token, 'lock')).toMatchObject({
      status: 403,
      body: { type: '/problems/forbidden-resource', detail: expect.stringContaining('as often as') },
    });
    expect(JSON.stringify(box.snapshot())).not.toContain(token);
    expect((await call('GET', `${at}/bluetooth-tokens`)).body).toMatchObject({
      items: [{ token_id: id, withdrawn: false }],
    });
  });

  test('answers as the box does: not permitted, not possible now, or failed', async () => {
    const { world, box, other, at, call, issue, ask } = await stage();
    const { token } = await issue({ allows: ['unlock', 'lock'] });
    expect(await ask('open, please', 'unlock')).toMatchObject({ status: 403 });
    expect(await ask(`${token.slice(0, -1)}g`, 'unlock')).toMatchObject({ status: 403 });
    expect(await ask(token, 'enable-driving')).toMatchObject({ status: 403 });
    expect(await ask(token, 'unlock', `/boxes/${other.plan.boxId}`)).toMatchObject({
      status: 403,
      body: { detail: 'refused: the token is for another box' },
    });
    box.openDoor(true);
    expect(await ask(token, 'lock')).toMatchObject({
      status: 409,
      body: { type: '/problems/vehicle/conflicting-state', detail: 'hindered: a door is open' },
    });
    box.openDoor(false);
    const otherToken = await issue({}, `/boxes/${other.plan.boxId}`);
    for (let second = 0; second < 300 && other.truth()['speedKph'] === 0; second += 1)
      await world.runFor(1_000);
    expect((await ask(otherToken.token, 'unlock', `/boxes/${other.plan.boxId}`)).body['detail']).toBe(
      'hindered: the vehicle is moving',
    );
    box.setMechanics({ lock: 'jammed' });
    expect(await ask(token, 'lock')).toMatchObject({
      status: 409,
      body: { detail: 'failed: the central lock did not move' },
    });
    expect((await call('POST', `${at}/bluetooth`, { token })).body['detail']).toContain('action');
  });

  test('says why there is no answer', async () => {
    const { world, box, issue, ask } = await stage();
    const { token } = await issue();
    box.reset('USER');
    expect(await ask(token, 'unlock')).toMatchObject({
      status: 504,
      body: { type: '/problems/vehicle/no-connection', detail: expect.stringContaining('not running') },
    });
    await world.runFor(30_000);
    box.hang(10_000);
    await world.runFor(10);
    expect((await ask(token, 'unlock')).body['detail']).toContain('hangs');
    await world.runFor(30_000);
    expect((await ask(token, 'unlock')).status).toBe(200);
  });

  test('says so while the service has disabled or reset Bluetooth', async () => {
    const { testbed, world, box, issue, ask } = await stage();
    const { token } = await issue();
    const bearer = await world.run(() => testbed.token());
    const service = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: string) =>
      world.run(() => testbed.call(method, `/vehicles/${box.plan.vehicleId}/${path}`, bearer, body));
    expect((await service('POST', 'box-commands/ble-reset')).status).toBe(204);
    expect((await ask(token, 'unlock')).body['detail']).toContain('is being reset');
    await world.runFor(limits.bleResetMs);
    expect((await ask(token, 'unlock')).status).toBe(200);
    const settings = 'telematics-unit/box-settings';
    expect((await service('PUT', settings, JSON.stringify({ ble_enabled: false }))).status).toBe(200);
    expect((await ask(token, 'unlock')).body['detail']).toContain('ble_enabled');
    expect((await service('DELETE', settings)).status).toBe(204);
    expect((await ask(token, 'unlock')).status).toBe(200);
  });

  test('revokes a token: a connected box refuses it at once, another one once it is connected', async () => {
    const { world, box, at, call, issue, ask } = await stage();
    const [first, second] = [await issue(), await issue()];
    expect(await call('DELETE', `${at}/bluetooth-tokens/${first.id}`)).toMatchObject({ status: 204 });
    expect((await ask(first.token, 'unlock')).body['detail']).toContain('withdrawn');
    box.setCoverage(false);
    await world.runFor(5_000);
    expect((await call('DELETE', `${at}/bluetooth-tokens/${second.id}`)).status).toBe(204);
    expect((await ask(second.token, 'unlock')).status).toBe(200);
    box.setCoverage(true);
    await world.runFor(60_000);
    expect((await ask(second.token, 'unlock')).body['detail']).toContain('withdrawn');
    expect((await call('DELETE', `${at}/bluetooth-tokens/nonsense`)).status).toBe(404);
  });

  test('issues no more tokens than a box can track, and more once some have expired', async () => {
    const { world, at, call, issue } = await stage();
    for (let count = 0; count < limits.bluetoothTokens; count += 1) await issue({ valid_for_s: 60 });
    expect(await call('POST', `${at}/bluetooth-tokens`)).toMatchObject({ status: 409 });
    await world.runFor(61_000);
    await issue();
    expect((await call('GET', `${at}/bluetooth-tokens`)).body['items']).toHaveLength(1);
  });

  test('refuses invalid bodies, unknown boxes and other methods', async () => {
    const { at, call } = await stage();
    for (const body of [
      { valid_for_s: 0 },
      { allows: ['fly'] },
      { allows: [] },
      { uses: 0.5 },
      { for: 'ever' },
    ]) {
      expect((await call('POST', `${at}/bluetooth-tokens`, body)).status, JSON.stringify(body)).toBe(400);
    }
    for (const path of ['/boxes/NOBODY/bluetooth', '/boxes/NOBODY/bluetooth-tokens']) {
      expect((await call('POST', path, { token: 'a', action: 'unlock' })).status).toBe(404);
    }
    expect(await call('GET', `${at}/bluetooth`)).toMatchObject({ status: 405, allow: 'POST' });
    expect(await call('PUT', `${at}/bluetooth-tokens`)).toMatchObject({ status: 405, allow: 'GET, POST' });
    expect(await call('GET', `${at}/bluetooth-tokens/x`)).toMatchObject({ status: 405, allow: 'DELETE' });
    expect((await call('GET', '/')).body).toHaveProperty('bluetooth');
  });
});

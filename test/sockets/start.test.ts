import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Running, start } from '../../library/start.ts';

// A separate temporary directory: services of other test files use the usual one meanwhile.
const place = mkdtempSync(join(tmpdir(), 'boxtwin-place-'));
vi.stubEnv('TMPDIR', place);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(place, { recursive: true, force: true });
});
const temporary = () => readdirSync(place).filter((name) => /^boxtwin-[A-Za-z0-9]{6}$/.test(name));

describe('start', () => {
  let first: Running;
  let second: Running;

  beforeAll(async () => {
    [first, second] = await Promise.all([
      start({ seed: 3, vehicles: 2, unassignedDevices: 3 }),
      start({ seed: 3, vehicles: 1, unassignedDevices: 1, makerVehicles: 2 }),
    ]);
  });
  afterAll(() => Promise.all([first.stop(), second.stop()]));

  test('runs twice in one process, each with its own ports, fleet and client', async () => {
    const addresses = [first, second].flatMap((one) => [one.baseUrl, one.simulatorUrl, one.mqttUrl]);
    expect(new Set(addresses).size).toBe(6);
    expect(first.fleetId).not.toBe(second.fleetId);
    for (const one of [first, second]) {
      const listed = (await (await one.call('GET', '/vehicles')).json()) as { items: { id: string }[] };
      const ids = listed.items.map((item) => item.id);
      expect(ids).toEqual(expect.arrayContaining(one.vehicles.map((vehicle) => vehicle.id)));
      // No others but those with their maker's telematics, where they were asked for.
      expect(ids.length - one.vehicles.length).toBe(one === second ? 2 : 0);
    }
    const token = await first.token();
    const foreign = await fetch(`${second.baseUrl}/vehicles`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(foreign.status).toBe(401);
  });

  test('configures its fleet without spending what its client may call', async () => {
    const one = await start({ vehicles: 2 });
    try {
      const { headers } = await one.call('GET', '/vehicles');
      const left = Number(headers.get('x-rate-limit-remaining'));
      expect(left).toBe(Number(headers.get('x-rate-limit-limit')) - 1);
      const tracking = `/vehicles/${one.vehicles[0]?.id}/telematics-unit/feature-configuration/tracking`;
      expect(await (await one.call('GET', tracking)).json()).toMatchObject({ status: 'ACTIVE' });
    } finally {
      await one.stop();
    }
  });

  test('includes process metrics', async () => {
    const text = await (await fetch(`${first.baseUrl}/metrics`)).text();
    for (const name of [
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
      'boxtwin_store_up',
    ])
      expect(text).toMatch(new RegExp(`^${name} [0-9.e+-]+$`, 'm'));
    expect(text).toMatch(/^# TYPE nodejs_gc_duration_seconds histogram$/m);
  });

  test('gives the same vehicles for the same seed', () => {
    expect(second.vehicles[0]).toEqual(first.vehicles[0]);
    expect(second.unassignedDevices).toEqual(first.unassignedDevices.slice(0, 1));
    expect(second.shelf).toBe(second.unassignedDevices);
  });

  test('has the requested radio, by default an ideal one', async () => {
    expect((await first.box(first.vehicles[0]?.id ?? '').look()).radio).toBe('ideal');
    const road = await start({ vehicles: 3, radio: 'road' });
    try {
      // Parked, so that it is within reach.
      const [, , vehicle] = road.vehicles;
      expect((await road.box(vehicle?.id ?? '').look()).radio).toBe('road');
      const answer = await road.call('POST', `/vehicles/${vehicle?.id}/commands/request-vehicle-state`);
      expect(answer.status).toBe(200);
    } finally {
      await road.stop();
    }
  });

  test('has the control API as functions, which say why something is not possible', async () => {
    const box = first.box(first.vehicles[0]?.id ?? '');
    expect((await box.coverage(false)).truth.hasCoverage).toBe(false);
    expect((await box.coverage(true)).truth.hasCoverage).toBe(true);
    expect((await box.setup('no-gnss', 1)).truth.installationFault).toBe('no-gnss');
    expect((await box.act('setup', { obstacle: 'none' })).truth.installationFault).toBe(null);
    await expect(box.signal(99)).rejects.toThrow('csq');
    // @ts-expect-error: there is no such action.
    await expect(box.act('dirve')).rejects.toThrow('There is no action "dirve". Did you mean drive?');
    await expect(first.box('NOBODY').look()).rejects.toThrow('404');
    expect(await first.control('GET', '/')).toHaveProperty('shelf');
  });

  test('sets up a vehicle, reports why it failed, and onboards the box again once it is repaired', async () => {
    const [box] = first.unassignedDevices;
    if (box === undefined) throw new Error('no shelf');
    const body = { telematics_unit: { id: box.boxId }, vehicle_model: box.model };
    const onboard = async () => {
      const response = await first.call('POST', '/vehicles', body);
      expect(response.status).toBe(201);
      return ((await response.json()) as { id: string }).id;
    };
    const status = async (id: string) =>
      ((await (await first.call('GET', `/vehicles/${id}`)).json()) as { setup_status: string }).setup_status;

    await first.box(box.boxId).setup('low-supply');
    const id = await onboard();
    await expect.poll(() => status(id)).toBe('RUNNING');
    const refused = await first.call('POST', `/vehicles/${id}/box-commands/ble-reset`);
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ type: '/problems/vehicle/conflicting-setup-status' });
    await expect.poll(() => status(id), { timeout: 40_000, interval: 250 }).toBe('FAILED');
    expect((await first.call('DELETE', `/vehicles/${id}`)).status).toBe(204);

    await first.box(box.boxId).setup('none');
    const again = await onboard();
    await expect.poll(() => status(again)).toBe('SUCCEEDED');
    expect((await first.call('POST', `/vehicles/${again}/box-commands/ble-reset`)).status).toBe(204);
  }, 90_000);

  test('removes its temporary files, and keeps those that the user named', async () => {
    const before = temporary();
    const data = mkdtempSync(join(tmpdir(), 'boxtwin-kept-'));
    try {
      const one = await start({ vehicles: 0, amqp: 'none' });
      await expect(one.nextMessage()).rejects.toThrow("started with amqp: 'none'");
      expect(temporary().length).toBe(before.length + 1);
      await Promise.all([one.stop(), one.stop()]);
      expect(temporary()).toEqual(before);
      await expect(fetch(one.baseUrl)).rejects.toThrow();

      const kept = await start({ vehicles: 1, data });
      const subscriptions = async (one: Running) =>
        (await (await one.call('GET', '/message-subscriptions')).text()).match(/test-[a-z0-9]{8}/g);
      await kept.messages().opened;
      expect(await subscriptions(kept)).not.toBeNull();
      await kept.stop();
      expect(existsSync(join(data, 'backend.sqlite'))).toBe(true);
      const again = await start({ vehicles: 1, data });
      expect(again.clientSecret).toBe(kept.clientSecret);
      // What the library made for its own reading ended with the first.
      expect(await subscriptions(again)).toBeNull();
      await again.stop();
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  });

  test('reports invalid options, and leaves no files behind', async () => {
    const before = temporary();
    await expect(start({ vehicles: -1 })).rejects.toThrow('vehicles: a whole number from 0 to');
    await expect(start({ data: '/dev/null/nowhere' })).rejects.toThrow('cannot be used');
    expect(temporary()).toEqual(before);
  });
});

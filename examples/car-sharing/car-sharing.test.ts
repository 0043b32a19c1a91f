import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boxtwin, scenarioTests } from 'boxtwin/vitest';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type CarSharing, startCarSharing } from './car-sharing.ts';
import { ServiceApi } from './service-api.ts';

/** What the service does where the back end relies on it, in virtual time. */
scenarioTests(
  ['answer-lost', 'rental-in-a-tunnel'].map((name) => join(import.meta.dirname, 'scenarios', `${name}.yaml`)),
);

describe('the back end', () => {
  const service = boxtwin({ seed: 1, vehicles: 2, answerTimeoutS: 3 });
  const folder = mkdtempSync(join(tmpdir(), 'car-sharing-'));
  let backEnd: CarSharing;
  let number = 0;

  const start = () =>
    startCarSharing({
      service: { url: service.baseUrl, clientId: service.clientId, clientSecret: service.clientSecret },
      messages: { discriminator: 'car-sharing', caFile: service.messages?.caPath ?? undefined },
      rental: { centsPerKm: 35, billAfterMs: 0, openingMs: 60_000 },
      database: join(folder, 'car-sharing.sqlite'),
      port: 0,
      payments: undefined,
    });
  const ask = (method: string, path: string, body?: unknown) =>
    fetch(`${backEnd.url}${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const comesTo = (id: string, status: string) =>
    vi.waitFor(() => expect(backEnd.bookings.find(id)?.status).toBe(status), {
      timeout: 25_000,
      interval: 50,
    });

  /** A reserved vehicle that stands, is locked and does not start. */
  async function reserved(): Promise<{ readonly id: string; readonly vehicle: string }> {
    const vehicle = service.vehicles[0]?.id ?? '';
    const box = service.box(vehicle);
    await box.park();
    await vi.waitFor(async () => {
      const locked = await service.call('POST', `/vehicles/${vehicle}/commands/lock-and-disable-driving`);
      expect(locked.status).toBe(200);
    }, 20_000);
    number += 1;
    const id = `booking-${number}`;
    await ask('PUT', `/bookings/${id}`, { vehicle_id: vehicle, driver: 'ada' });
    await comesTo(id, 'RESERVED');
    return { id, vehicle };
  }

  async function ended(id: string): Promise<void> {
    await ask('POST', `/bookings/${id}/end`);
    await vi.waitFor(() => expect(backEnd.bookings.find(id)?.is_returned).toBe(1), 25_000);
  }

  beforeEach(async () => {
    backEnd = await start();
  });
  afterEach(() => backEnd.stop());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('a command whose answer is lost opens the vehicle once, and the driver learns of it', async () => {
    const { id, vehicle } = await reserved();
    await service.box(vehicle).weather({ lose: { message: 'command-reply', count: 1 } });
    await ask('POST', `/bookings/${id}/unlock`);
    await comesTo(id, 'OPEN');
    expect((await service.box(vehicle).look()).truth).toMatchObject({ locked: false, drivingEnabled: true });
    await ended(id);
    expect(backEnd.bookings.invoices().filter(({ booking_id }) => booking_id === id)).toHaveLength(1);
  }, 60_000);

  test('a vehicle that moves is not locked, and the rental goes on', async () => {
    const { id, vehicle } = await reserved();
    await ask('POST', `/bookings/${id}/unlock`);
    await comesTo(id, 'OPEN');
    await service.box(vehicle).drive();
    await vi.waitFor(
      async () => expect((await service.box(vehicle).look()).truth['speedKph']).toBeGreaterThan(5),
      20_000,
    );
    await ask('POST', `/bookings/${id}/end`);
    await vi.waitFor(() => {
      const { status, problem } = backEnd.bookings.find(id) ?? {};
      expect({ status, problem }).toEqual({ status: 'OPEN', problem: '/problems/vehicle/conflicting-state' });
    }, 15_000);
    await service.box(vehicle).park();
    await vi.waitFor(
      async () => expect((await service.box(vehicle).look()).truth['speedKph']).toBe(0),
      20_000,
    );
    await ended(id);
  }, 90_000);

  test('a back end that dies with a command under way goes on with it when it starts again', async () => {
    const { id, vehicle } = await reserved();
    const silence = await service.box(vehicle).weather({ stall: {} });
    await ask('POST', `/bookings/${id}/unlock`);
    await comesTo(id, 'OPENING');
    await backEnd.stop();
    await silence.lift();
    backEnd = await start();
    await comesTo(id, 'OPEN');
    await ended(id);
  }, 60_000);

  test('what the service forbids is not tried again soon: the driver learns why, and a rental ends when it is allowed again', async () => {
    const { permissions } = (await service.control('GET', '/service')) as { readonly permissions: string[] };
    // The service knows of it within seconds.
    const grant = async (granted: readonly string[], status: number) => {
      await service.control('PUT', `/service/clients/${service.clientId}`, { permissions: granted });
      const asked = `/vehicles/${service.vehicles[0]?.id}/commands/request-vehicle-state`;
      await vi.waitFor(async () => expect((await service.call('POST', asked)).status).toBe(status), {
        timeout: 20_000,
        interval: 500,
      });
    };
    const forbid = () =>
      grant(
        permissions.filter((name) => name !== 'vehicle-commands'),
        403,
      );
    const refused = await reserved();
    await forbid();
    await ask('POST', `/bookings/${refused.id}/unlock`);
    await comesTo(refused.id, 'CANCELLED');
    expect(backEnd.bookings.find(refused.id)?.problem).toBe('/problems/missing-permissions');
    await vi.waitFor(() => expect(backEnd.bookings.find(refused.id)?.is_returned).toBe(1), 10_000);
    // Whoever books it next is told so at once, and the service is not asked again.
    await ask('PUT', '/bookings/again', { vehicle_id: refused.vehicle, driver: 'ben' });
    await comesTo('again', 'CANCELLED');
    expect(backEnd.bookings.find('again')?.problem).toBe('/problems/missing-permissions');

    await grant(permissions, 200);
    // It looks again once some time has passed; one that starts anew does at once.
    await backEnd.stop();
    backEnd = await start();
    const { id } = await reserved();
    await ask('POST', `/bookings/${id}/unlock`);
    await comesTo(id, 'OPEN');
    await forbid();
    await ask('POST', `/bookings/${id}/end`);
    await vi.waitFor(() => expect(backEnd.bookings.find(id)?.attempts).toBe(1), 10_000);
    await grant(permissions, 200);
    await ended(id);
  }, 90_000);

  test('a subscription that somebody deleted is made anew, and messages come again', async () => {
    const idOf = (): string | undefined =>
      (JSON.parse(backEnd.bookings.subscription ?? '{}') as { readonly id?: string }).id;
    await vi.waitFor(() => expect(idOf()).toBeDefined(), 10_000);
    const before = idOf();
    expect((await service.call('DELETE', `/message-subscriptions/${before}`)).status).toBe(204);
    await vi.waitFor(() => expect([undefined, before]).not.toContain(idOf()), 25_000);
    const { id } = await reserved();
    await ask('POST', `/bookings/${id}/unlock`);
    await comesTo(id, 'OPEN');
    await ended(id);
  }, 90_000);

  test('tokens that end after a second, and messages that come twice, change nothing', async () => {
    await service.control('PUT', '/service/token-lifetime', { seconds: 1 });
    await service.weather({ lose: { message: 'amqp-confirm', count: 3, connection: 'cut' } });
    const { id } = await reserved();
    await ask('POST', `/bookings/${id}/unlock`);
    await comesTo(id, 'OPEN');
    await ended(id);
    expect(backEnd.bookings.invoices().filter(({ booking_id }) => booking_id === id)).toHaveLength(1);
    await service.control('PUT', '/service/token-lifetime', { seconds: 3_600 });
  }, 60_000);
});

test('where the quota is used up nothing is sent before Retry-After is over', async () => {
  const calls: number[] = [];
  const server = createServer(({ url }, response) => {
    if (url?.startsWith('/auth') === true) {
      response.setHeader('content-type', 'application/json');
      return void response.end('{"access_token": "t", "expires_in": 3600}');
    }
    calls.push(performance.now());
    const isFirst = calls.length === 1;
    return void response.writeHead(isFirst ? 429 : 204, isFirst ? { 'retry-after': '1' } : {}).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const api = new ServiceApi({ url, clientId: 'c', clientSecret: 's' }, new AbortController().signal);
  const first = api.call('GET', '/vehicles');
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  const second = api.call('GET', '/vehicles');
  expect((await first).status).toBe(204);
  expect((await second).status).toBe(204);
  const [before = 0, ...after] = calls;
  expect(after).toHaveLength(2);
  for (const one of after) expect(one - before).toBeGreaterThan(950);
  server.close();
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Readiness } from '../../../../backend/health/health.ts';
import { healthLimits } from '../../../../backend/health/limits.ts';
import { METRICS } from '../../../../backend/metrics/metric-table.ts';
import { type Service, startService } from '../../../../backend/service.ts';
import { failingStore } from '../../../../backend/store/failing.ts';
import { faultyStore, NO_FAULT, type StoreFault } from '../../../../backend/store/faulty.ts';
import { openSqliteStore, type SqliteStore } from '../../../../backend/store/sqlite.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';
import { BOX, newVehicle } from '../../../contracts/store-kit.ts';
import { HandBox } from '../ingest/hand-box.ts';

const BASE_URL = 'http://127.0.0.1:8080';
const SECRET = 'pa55-of-the-backend';

describe('health and metrics of a running service', () => {
  let world: VirtualWorld;
  let store: SqliteStore;
  let service: Service;
  let box: HandBox;
  let isFailing: boolean;
  let fault: StoreFault;
  beforeEach(async () => {
    world = openVirtualWorld({ seed: 1 });
    store = openSqliteStore(':memory:');
    isFailing = false;
    fault = NO_FAULT;
    await store.vehicles.save(newVehicle());
    box = new HandBox(world, BOX);
    await world.run(() => box.connect());
    service = startService(
      world.incarnation('backend'),
      failingStore(
        faultyStore(store, world.time, () => fault),
        () => isFailing,
      ),
      {
        baseUrl: BASE_URL,
        mqtt: { clientId: 'backend', username: 'backend', password: SECRET },
        answerTimeoutMs: 20_000,
        queues: [{ name: 'VehicleState_v1-test', fleetId: 'FLEET1' }],
        requestsPerMinute: 2,
      },
    );
    await world.run(() => service.started);
    await world.pass(1_000);
  });
  afterEach(async () => {
    service.sever();
    await store.close();
  });

  const get = (path: string, method = 'GET') =>
    world.run(() => service.fetch(new Request(`${BASE_URL}${path}`, { method })));
  async function ready(): Promise<{ code: number; status: string; reasons: string }> {
    const answer = await get('/health/ready');
    const body = (await answer.json()) as Readiness;
    const reasons = body.checks.map(({ reason }) => reason).join(' ');
    return { code: answer.status, status: body.status, reasons };
  }
  async function metric(line: string): Promise<string | undefined> {
    const text = await (await get('/metrics')).text();
    return text
      .split('\n')
      .find((one) => one.startsWith(`${line} `))
      ?.slice(line.length + 1);
  }

  test('a service that is well is live and ready, to whoever asks and however often', async () => {
    for (let count = 0; count < 5; count += 1)
      expect(await ready()).toMatchObject({ code: 200, status: 'ready' });
    const live = await get('/health/live');
    expect([live.status, await live.json()]).toEqual([200, { status: 'live' }]);
    expect(await (await get('/health')).json()).toMatchObject({
      live: { status: 'live' },
      ready: { status: 'ready' },
    });
    expect((await get('/health/ready', 'HEAD')).status).toBe(200);
    expect((await get('/health/ready', 'POST')).status).toBe(405);
  });

  test('a store that fails, and MQTT that is away, are 503 with their reasons, and well again afterwards', async () => {
    isFailing = true;
    expect(await ready()).toMatchObject({ code: 503, reasons: expect.stringMatching(/cannot be read/) });
    expect((await get('/health')).status).toBe(503);
    expect((await get('/health/live')).status).toBe(200);
    expect(await metric('boxtwin_store_up')).toBe('0');
    isFailing = false;
    expect((await ready()).code).toBe(200);
    service.release();
    expect(await ready()).toMatchObject({ code: 503, reasons: expect.stringMatching(/stopping/) });
  });

  test('a disk that is full is seen though nothing is written but by health, and so is one that has room again', async () => {
    fault = { ...NO_FAULT, failing: 'writes' };
    await world.pass(healthLimits.probeEveryMs);
    const found = await ready();
    expect(found).toMatchObject({ code: 503, reasons: expect.stringMatching(/no commits: writes fail/) });
    expect(await metric('boxtwin_store_up')).toBe('0');
    fault = NO_FAULT;
    await world.pass(healthLimits.writeFailedMs + 1);
    expect(await ready()).toMatchObject({ code: 200, status: 'ready' });
  });

  test('one write of anybody that fails counts for 10 s, though others are written', async () => {
    expect(await ready()).toMatchObject({ code: 200 });
    fault = { ...NO_FAULT, failing: 'writes' };
    // Neither a frame nor a command.
    await expect(
      world.run(() =>
        service.ensureSubscription({
          fleetId: 'FLEET1',
          discriminator: 'one',
          topics: ['VehicleState_v1'],
          username: 'one',
          password: 'secret',
        }),
      ),
    ).rejects.toThrow();
    fault = NO_FAULT;
    expect(await ready()).toMatchObject({ code: 503, reasons: expect.stringMatching(/no commits/) });
    expect(await metric('boxtwin_store_writes_failed_total')).toBe('1');
    await world.pass(healthLimits.writeFailedMs + 1);
    expect(await ready()).toMatchObject({ code: 200, status: 'ready' });
  });

  test('without the message broker it is degraded and still answers 200, with what waits', async () => {
    world.exchangeBroker.setDown(true);
    await world.run(() => box.send({ kind: 'birth', connection: 1 }));
    await world.run(() => box.report(1, 31));
    await world.pass(6 * 60_000);
    const found = await ready();
    expect(found).toMatchObject({ code: 200, status: 'degraded' });
    expect(found.reasons).toMatch(/no connection to the message broker.*1 messages wait/);
    expect(await metric('boxtwin_amqp_connected')).toBe('0');
    expect(await metric('boxtwin_outbox_messages')).toBe('1');
    expect(Number(await metric('boxtwin_outbox_oldest_age_seconds'))).toBeGreaterThan(300);
    world.exchangeBroker.setDown(false);
    await world.pass(60_000);
    expect((await ready()).status).toBe('ready');
    expect(await metric('boxtwin_outbox_oldest_age_seconds')).toBe('0');
    expect(await metric('boxtwin_courier_latency_seconds_count')).toBe('1');
    expect(await metric('boxtwin_courier_latency_seconds_bucket{le="300"}')).toBe('0');
  });

  test('metrics tell frames by verdict, commits, boxes and requests, in Prometheus text', async () => {
    await world.run(() => box.send({ kind: 'birth', connection: 1 }));
    await world.run(() => box.report(1, 31));
    await world.run(() => box.report(1, 31));
    await world.pass(1_000);
    await get('/vehicles/VEH01');
    await get('/nobody/knows/this');
    expect(await metric('boxtwin_frames_total{verdict="stored"}')).toBe('1');
    expect(await metric('boxtwin_frames_total{verdict="duplicate"}')).toBe('1');
    expect(await metric('boxtwin_frames_total{verdict="presence"}')).toBe('1');
    expect(await metric('boxtwin_boxes_connected')).toBe('1');
    expect(Number(await metric('boxtwin_commit_latency_seconds_count'))).toBeGreaterThan(0);
    expect(await metric('boxtwin_http_requests_total{route="/vehicles/:id",status="4xx"}')).toBe('1');
    expect(await metric('boxtwin_http_requests_total{route="none",status="4xx"}')).toBe('1');
    const answer = await get('/metrics');
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await answer.text();
    for (const name of Object.keys(METRICS)) expect(text).toContain(`# TYPE ${name} `);
    for (const [, name = ''] of text.matchAll(/^([a-z_]+)[ {]/gm))
      expect(Object.keys(METRICS)).toContain(
        name in METRICS ? name : name.replace(/_(bucket|sum|count)$/, ''),
      );
  });

  test('neither tells a vehicle, a box, a fleet or a secret', async () => {
    await world.run(() => box.send({ kind: 'birth', connection: 1 }));
    await world.run(() => box.report(1, 31));
    await get('/vehicles/VEH01');
    isFailing = true;
    const told = (await (await get('/metrics')).text()) + (await (await get('/health')).text());
    for (const secret of [SECRET, BOX, 'VEH01', 'FLEET1', 'VehicleState_v1-test'])
      expect(told).not.toContain(secret);
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { healthLimits } from '../../../../backend/base/limits.ts';
import type { ServiceReadiness } from '../../../../backend/monitoring/health.ts';
import { METRICS } from '../../../../backend/monitoring/metric-table.ts';
import { type Service, startService } from '../../../../backend/service.ts';
import { faultyStore, NO_FAULT, type StoreFault } from '../../../../backend/store/intercepted-store.ts';
import { openSqliteStore, type SqliteStore } from '../../../../backend/store/sqlite/store.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';
import { ScriptedBox } from '../../../support/backend/scripted-box.ts';
import { BOX_ID, newVehicle } from '../../../support/store/store-rows.ts';

const BASE_URL = 'http://127.0.0.1:8080';
const SECRET = 'pa55-of-the-backend';

describe('health and metrics of a running service', () => {
  let world: VirtualWorld;
  let store: SqliteStore;
  let service: Service;
  let box: ScriptedBox;
  let isFailing: boolean;
  let fault: StoreFault;
  beforeEach(async () => {
    world = openVirtualWorld({ seed: 1 });
    store = openSqliteStore(':memory:');
    isFailing = false;
    fault = NO_FAULT;
    await store.vehicles.save(newVehicle());
    box = new ScriptedBox(world, BOX_ID);
    await world.run(() => box.connect());
    service = startService(
      world.instance('backend'),
      faultyStore(store, world.time, () => (isFailing ? { failing: 'everything', slowMs: 0 } : fault)),
      {
        baseUrl: BASE_URL,
        mqtt: { clientId: 'backend', username: 'backend', password: SECRET },
        answerTimeoutMs: 20_000,
        queues: [{ name: 'VehicleState_v1-test', fleetId: 'FLEET1' }],
        requestsPerMinute: 2,
      },
    );
    await world.run(() => service.started);
    await world.runFor(1_000);
  });
  afterEach(async () => {
    service.sever();
    await store.close();
  });

  const get = (path: string, method = 'GET') =>
    world.run(() => service.fetch(new Request(`${BASE_URL}${path}`, { method })));
  async function ready(): Promise<{ code: number; status: string; reasons: string }> {
    const answer = await get('/health/ready');
    const body = (await answer.json()) as ServiceReadiness;
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

  test('a healthy service is live and ready, without sign-in and without a limit of requests', async () => {
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

  test('a failing store and a lost MQTT connection are 503 with their reasons, and healthy again afterwards', async () => {
    isFailing = true;
    expect(await ready()).toMatchObject({ code: 503, reasons: expect.stringMatching(/cannot be read/) });
    expect((await get('/health')).status).toBe(503);
    expect((await get('/health/live')).status).toBe(200);
    expect(await metric('boxtwin_store_up')).toBe('0');
    isFailing = false;
    expect((await ready()).code).toBe(200);
    void service.release();
    expect(await ready()).toMatchObject({ code: 503, reasons: expect.stringMatching(/stopping/) });
  });

  test('a full disk is detected by the write of health alone, and so is its recovery', async () => {
    fault = { ...NO_FAULT, failing: 'writes' };
    await world.runFor(healthLimits.probeEveryMs);
    const found = await ready();
    expect(found).toMatchObject({ code: 503, reasons: expect.stringMatching(/cannot commit: writes fail/) });
    expect(await metric('boxtwin_store_up')).toBe('0');
    fault = NO_FAULT;
    await world.runFor(healthLimits.writeFailedMs + 1);
    expect(await ready()).toMatchObject({ code: 200, status: 'ready' });
  });

  test('any failed write counts for 10 s, even if others succeed', async () => {
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
    expect(await ready()).toMatchObject({ code: 503, reasons: expect.stringMatching(/cannot commit/) });
    expect(await metric('boxtwin_store_writes_failed_total')).toBe('1');
    await world.runFor(healthLimits.writeFailedMs + 1);
    expect(await ready()).toMatchObject({ code: 200, status: 'ready' });
  });

  test('without the message broker it is degraded and still answers 200, with the waiting messages', async () => {
    world.amqpBroker.setDown(true);
    await world.run(() => box.send({ kind: 'birth', connection: 1 }));
    await world.run(() => box.report(1, 31));
    await world.runFor(6 * 60_000);
    const found = await ready();
    expect(found).toMatchObject({ code: 200, status: 'degraded' });
    expect(found.reasons).toMatch(/no connection to the message broker.*1 messages wait/);
    expect(await metric('boxtwin_amqp_connected')).toBe('0');
    expect(await metric('boxtwin_outbox_messages')).toBe('1');
    expect(Number(await metric('boxtwin_outbox_oldest_age_seconds'))).toBeGreaterThan(300);
    world.amqpBroker.setDown(false);
    await world.runFor(60_000);
    expect((await ready()).status).toBe('ready');
    expect(await metric('boxtwin_outbox_oldest_age_seconds')).toBe('0');
    expect(await metric('boxtwin_courier_latency_seconds_count')).toBe('1');
    expect(await metric('boxtwin_courier_latency_seconds_bucket{le="300"}')).toBe('0');
  });

  test('metrics include frames by verdict, commits, boxes and requests, in Prometheus text', async () => {
    await world.run(() => box.send({ kind: 'birth', connection: 1 }));
    await world.run(() => box.report(1, 31));
    await world.run(() => box.report(1, 31));
    await world.runFor(1_000);
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

  test('neither reveals a vehicle, a box, a fleet or a secret', async () => {
    await world.run(() => box.send({ kind: 'birth', connection: 1 }));
    await world.run(() => box.report(1, 31));
    await get('/vehicles/VEH01');
    isFailing = true;
    const told = (await (await get('/metrics')).text()) + (await (await get('/health')).text());
    for (const secret of [SECRET, BOX_ID, 'VEH01', 'FLEET1', 'VehicleState_v1-test'])
      expect(told).not.toContain(secret);
  });
});

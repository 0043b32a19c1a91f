import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Running, start } from '../../library/start.ts';

/**
 * A data directory that `boxtwin up --vehicles 2` wrote on 2026-11-28, with a bulk job and a subscription: users have
 * such directories, and every later state opens them. Its secrets are worthless.
 */
const RECORDED = new URL('data-directory', import.meta.url).pathname;
const JOB = '01M8H8SSS6CX90X7XNB1HQACYX';
const SUBSCRIPTION = {
  id: '01M8H8SST0JQFAAA61J1XX1QSB',
  username: 'subscription-01m8h8sst0jqfaaa61j1xx1qsb',
  password: 'Nu4xn4r9akG6Yq0rsVbbcC5IIS1E9io2',
  queues: ['VehicleState_v1-golden', 'DrivingEvent_v1-golden'],
};

let data: string;
let running: Running;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'boxtwin-recorded-'));
  await cp(RECORDED, data, { recursive: true });
  running = await start({ data, vehicles: 2, makerVehicles: 2, unassignedDevices: 3 });
});

afterAll(async () => {
  await running.stop();
  await rm(data, { recursive: true, force: true });
});

async function answerOf(path: string): Promise<unknown> {
  const response = await running.call('GET', path);
  expect(response.status).toBe(200);
  return response.json();
}

test('the fleet of a recorded data directory has the same client and the same vehicles, and its boxes connect', async () => {
  expect(running.clientId).toBe('demo-vj417a');
  expect(running.vehicles.map(({ id }) => id).sort()).toEqual(['77B5C', 'AUKD7']);
  for (const { id } of running.vehicles) {
    const { status } = await running.call('POST', `/vehicles/${id}/box-commands/request-system-status`);
    expect(status).toBe(200);
  }
});

test('the job of a recorded data directory has its results, and the vehicles their configuration', async () => {
  expect(await answerOf(`/configure-vehicle-telematics-unit-bulk/${JOB}`)).toMatchObject({
    status: 'COMPLETED',
    counts: { total: 4, pending: 0, applied: 2, failed: 2 },
  });
  for (const { id } of running.vehicles)
    expect(await answerOf(`/vehicles/${id}/telematics-unit/feature-configuration/tracking`)).toMatchObject({
      status: 'ACTIVE',
      parameters: { time_interval_in_seconds: 120 },
    });
});

test('the subscription of a recorded data directory is listed, and its account reads its queues', async () => {
  const { id, username, password, queues } = SUBSCRIPTION;
  expect(JSON.stringify(await answerOf('/message-subscriptions'))).toContain(id);
  const { hostname, port } = new URL(running.messages?.url ?? '');
  const connection = await connect({ hostname, port: Number(port), username, password });
  try {
    const channel = await connection.createChannel();
    for (const queue of queues) expect((await channel.checkQueue(queue)).queue).toBe(queue);
  } finally {
    await connection.close();
  }
});

import { describe, expect, test } from 'vitest';
import { decodePayload } from '../../../../protocol/codec/frame.ts';
import { topics } from '../../../../protocol/topics.ts';
import {
  firstCommandOf,
  LOCK_PATH,
  openServiceWithVehicle,
  timedCommand,
} from '../../../support/http/service-with-vehicle.ts';
import {
  ANSWER_TIMEOUT_MS,
  BOX_ID,
  jsonObjectOf,
  openTestService,
} from '../../../support/http/test-service.ts';

const STATUS = {
  realTimeClockMs: 1_767_592_800_999,
  deviceUpSinceMs: 1_767_592_700_000,
  modemUpSinceMs: 1_767_592_710_000,
  dataConnectionUpSinceMs: 0,
  cpuTimeS: 100,
  resetReason: 'WATCHDOG',
  cpuTemperatureDeciC: -125,
  hardwareRevision: 4,
  pioPortLevels: [0, 10, 255],
  freeHeapBytes: 51_200,
  canBus0Active: false,
  canBus0ErrorFlags: 0,
  canBus1Active: true,
  canBus1ErrorFlags: 0xfff,
} as const;

describe('a command that is carried out', () => {
  test('is sent to its box with an expiry and the encoding of its generation', async () => {
    const stage = await openTestService();
    await stage.addVehicle({ generation: 1 });
    await stage.tell(BOX_ID, { journal: { epoch: 77, contiguous: 0, ranges: [] } });
    stage.box = () => ({ outcome: 'done', state: {} });
    const token = await stage.token();
    const fromMs = stage.loop.nowMs;
    await stage.ask('POST', LOCK_PATH, { token });
    const [{ topic, bytes } = { topic: '', bytes: new Uint8Array(0) }] = stage.sent;
    expect(topic).toBe(topics.down(BOX_ID));
    expect(decodePayload(bytes).faults).toEqual([]);
    expect(decodePayload(bytes).frames[0]?.frame).toMatchObject({
      generation: 1,
      epoch: 77,
      boot: 0,
      sequence: 0,
      clockMs: fromMs,
      message: { kind: 'command', command: 'lock-central-lock', expiresMs: fromMs + ANSWER_TIMEOUT_MS },
    });
  });

  test('is written down with its flow id before it is sent', async () => {
    const { stage, token } = await openServiceWithVehicle();
    let found: unknown;
    stage.box = (request) => {
      found = stage.store.commands.find(request.requestId);
      return { outcome: 'done' };
    };
    const flowId = '6a0f5a8e-0000-4000-8000-000000000001';
    await stage.ask('POST', LOCK_PATH, { token, headers: { 'x-service-flow-id': flowId } });
    expect(await found).toMatchObject({ outcome: 'open', flowId, vehicleId: 'VEH01' });
  });

  test('is answered with the state of this report as soon as ingest notifies', async () => {
    const { stage, token } = await openServiceWithVehicle();
    const timestampMs = stage.loop.nowMs;
    stage.box = () => ({ outcome: 'done', state: { central_lock: { timestampMs, value: 'LOCKED' } } });
    const { answer, tookMs } = await timedCommand(stage, token);
    expect(answer.status).toBe(200);
    expect(await jsonObjectOf(answer)).toEqual({
      central_lock: { timestamp: '2026-01-05T06:00:00Z', value: 'LOCKED' },
    });
    expect(tookMs).toBe(50);
  });

  test('is found within a second where another backend received the reply', async () => {
    const { stage, token } = await openServiceWithVehicle();
    stage.box = () => ({ outcome: 'done', isNotified: false });
    const { answer, tookMs } = await timedCommand(stage, token);
    expect(answer.status).toBe(200);
    expect(tookMs).toBe(1_000);
  });

  test('is a 204 without a body for a reset', async () => {
    const { stage, token } = await openServiceWithVehicle();
    stage.box = () => ({ outcome: 'done' });
    const answer = await stage.ask('POST', '/vehicles/VEH01/box-commands/board-reset', { token });
    expect(answer.status).toBe(204);
    expect(await answer.text()).toBe('');
  });

  test('is the fifteen properties for request-system-status', async () => {
    const { stage, token } = await openServiceWithVehicle();
    stage.box = () => ({ outcome: 'done', status: STATUS });
    const answer = await stage.ask('POST', '/vehicles/VEH01/box-commands/request-system-status', { token });
    expect(answer.status).toBe(200);
    expect(await jsonObjectOf(answer)).toEqual({
      real_time_clock: '2026-01-05T06:00:00Z',
      device_up_since: '2026-01-05T05:58:20Z',
      modem_up_since: '2026-01-05T05:58:30Z',
      data_connection_up_since: '1970-01-01T00:00:00Z',
      cpu_time_in_seconds: 100,
      board_reset_reason: 'WATCHDOG',
      cpu_temperature_in_degrees_celsius: -12.5,
      hardware_revision: 4,
      pio_port_levels: ['00', '0a', 'ff'],
      free_heap_in_bytes: 51_200,
      can_bus_active: true,
      can_bus_0_active: false,
      can_bus_0_error_flags: '00',
      can_bus_1_active: true,
      can_bus_1_error_flags: '0fff',
    });
  });
});

test.each([
  [false, false, false],
  [true, false, true],
  [false, true, true],
])('a CAN bus is active where one of two is: %s, %s', async (canBus0Active, canBus1Active, isActive) => {
  const { stage, token } = await openServiceWithVehicle();
  stage.box = () => ({ outcome: 'done', status: { ...STATUS, canBus0Active, canBus1Active } });
  const answer = await stage.ask('POST', '/vehicles/VEH01/box-commands/request-system-status', { token });
  expect((await jsonObjectOf(answer))['can_bus_active']).toBe(isActive);
});

describe('a command that is not carried out', () => {
  test.each([
    ['expired', 504, '/problems/vehicle/no-connection', /was not carried out/],
    ['unsupported', 409, '/problems/vehicle/command-not-supported', /does not support/],
    ['conflicting-state', 409, '/problems/vehicle/conflicting-state', /does not allow this command/],
    ['not-ready', 409, '/problems/conflicting-resource', /accepts no commands/],
    ['failed', 500, '/problems/telematics-unit/error', /relay stuck/],
  ] as const)('because the box says %s is a %i', async (outcome, status, type, detail) => {
    const { stage, token } = await openServiceWithVehicle();
    stage.box = () => ({ outcome, error: outcome === 'failed' ? 'relay stuck' : '' });
    const answer = await stage.ask('POST', LOCK_PATH, { token });
    expect(answer.status).toBe(status);
    expect(await jsonObjectOf(answer)).toMatchObject({ type, detail: expect.stringMatching(detail) });
    expect(stage.complaints.filter((line) => line.level === 'error')).toHaveLength(status === 500 ? 1 : 0);
  });

  test('because the box stays silent is a 504 after 20 s that leaves it open what happened', async () => {
    const { stage, token } = await openServiceWithVehicle();
    const { answer, tookMs } = await timedCommand(stage, token);
    expect(answer.status).toBe(504);
    expect(tookMs).toBe(ANSWER_TIMEOUT_MS);
    expect((await jsonObjectOf(answer))['detail']).toMatch(/did not answer.*may have been carried out/);
    expect((await firstCommandOf(stage))?.outcome).toBe('unknown');
  });

  test('an answer that comes after the 504 is still recorded', async () => {
    const { stage, token } = await openServiceWithVehicle();
    stage.box = () => ({ outcome: 'done', afterMs: ANSWER_TIMEOUT_MS + 500 });
    expect((await stage.ask('POST', LOCK_PATH, { token })).status).toBe(504);
    await stage.loop.runUntil(stage.loop.nowMs + 1_000);
    expect((await firstCommandOf(stage))?.outcome).toBe('done');
  });

  test('because the broker is not there is a 504 at once, and nothing stays open', async () => {
    const { stage, token } = await openServiceWithVehicle();
    stage.box = 'unsent';
    const { answer, tookMs } = await timedCommand(stage, token);
    expect(answer.status).toBe(504);
    expect(tookMs).toBe(0);
    expect((await jsonObjectOf(answer))['detail']).toMatch(/was not sent/);
    expect(stage.complaints).toEqual([expect.objectContaining({ level: 'error' })]);
    stage.box = () => ({ outcome: 'done' });
    expect((await stage.ask('POST', LOCK_PATH, { token })).status).toBe(200);
  });

  test('is waited for where the link was lost while it was being sent', async () => {
    const { stage, token } = await openServiceWithVehicle();
    stage.box = 'in-doubt';
    const { answer, tookMs } = await timedCommand(stage, token);
    expect(answer.status).toBe(504);
    expect((await jsonObjectOf(answer))['detail']).toMatch(/may have been carried out/);
    expect(tookMs).toBe(ANSWER_TIMEOUT_MS);
  });

  test('because another one is open is a 409, until that one is settled', async () => {
    const { stage, token } = await openServiceWithVehicle();
    const first = stage.app.request(LOCK_PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    const second = await stage.ask('POST', '/vehicles/VEH01/box-commands/ble-reset', { token });
    expect(second.status).toBe(409);
    expect(await jsonObjectOf(second)).toMatchObject({ type: '/problems/vehicle/conflicting-command' });
    expect((await stage.loop.runWhile(Promise.resolve(first))).status).toBe(504);
    stage.box = () => ({ outcome: 'done' });
    expect((await stage.ask('POST', LOCK_PATH, { token })).status).toBe(200);
    expect(stage.sent).toHaveLength(2);
  });

  test('because the box did not connect is not sent, and does not block other commands', async () => {
    const { stage, token } = await openServiceWithVehicle();
    await stage.tell(BOX_ID, { connection: { counter: 1, open: false } });
    const { answer, tookMs } = await timedCommand(stage, token);
    expect(answer.status).toBe(504);
    expect(tookMs).toBe(0);
    expect((await jsonObjectOf(answer))['detail']).toMatch(/did not connect/);
    expect(stage.sent).toEqual([]);
    await stage.tell(BOX_ID, { connection: { counter: 2, open: true } });
    stage.box = () => ({ outcome: 'done' });
    expect((await stage.ask('POST', LOCK_PATH, { token })).status).toBe(200);
  });

  test('is tried where nothing is known of the connection', async () => {
    const { stage, token } = await openServiceWithVehicle();
    await stage.tell(BOX_ID, { connection: null });
    stage.box = () => ({ outcome: 'done' });
    expect((await stage.ask('POST', LOCK_PATH, { token })).status).toBe(200);
  });
});

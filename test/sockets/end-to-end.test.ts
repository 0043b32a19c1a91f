import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChannelModel, type ConsumeMessage, connect } from 'amqplib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { EXCHANGE, vehicleStateReceived } from '../../backend/events/message.ts';
import { rabbitmq, waitUntil, withService } from '../support/run/external-services.ts';
import { UpProcess } from '../support/sockets/up-process.ts';

const state = z.record(z.string(), z.looseObject({ timestamp: z.string(), value: z.unknown() }));
const vehicle = z.looseObject({
  id: z.string(),
  life_status: z.looseObject({ value: z.string() }),
  telematics_unit: z.looseObject({ firmware_version: z.string().nullable() }).nullable(),
  latest_vehicle_state: state.optional(),
});

/** The fifteen properties of a system status (docs/api.md, Box commands). */
const STATUS_PROPERTIES = [
  'board_reset_reason',
  'can_bus_0_active',
  'can_bus_0_error_flags',
  'can_bus_1_active',
  'can_bus_1_error_flags',
  'can_bus_active',
  'cpu_temperature_in_degrees_celsius',
  'cpu_time_in_seconds',
  'data_connection_up_since',
  'device_up_since',
  'free_heap_in_bytes',
  'hardware_revision',
  'modem_up_since',
  'pio_port_levels',
  'real_time_clock',
];

await withService(rabbitmq, ({ url }) => {
  describe('end to end, over real sockets and RabbitMQ', () => {
    let data: string;
    let up: UpProcess;
    let token: string;
    let amqp: ChannelModel;
    const messages: ConsumeMessage[] = [];
    /** Vehicle ids by firmware. */
    const byFirmware = new Map<string, string>();

    beforeAll(async () => {
      data = mkdtempSync(join(tmpdir(), 'boxtwin-'));
      up = await UpProcess.start([
        '--vehicles',
        '3',
        '--data',
        data,
        '--amqp',
        url,
        ...(await UpProcess.ownPorts()),
      ]);
      amqp = await connect(url);
      const channel = await amqp.createChannel();
      await channel.checkQueue(up.ready.queue ?? '');
      // A separate queue: another reader of the demo queue would take messages away.
      const { queue } = await channel.assertQueue('', { exclusive: true });
      await channel.bindQueue(queue, EXCHANGE, `${up.ready.fleet_id}.VehicleStateReceived`);
      await channel.consume(queue, (message) => message !== null && messages.push(message), {
        noAck: true,
      });
      token = await up.token();
      await waitUntil(async () => {
        for (const one of await vehicles())
          byFirmware.set(one.telematics_unit?.firmware_version ?? '', one.id);
        return byFirmware.has('2.23') && byFirmware.has('2.24') && byFirmware.has('2.31');
      });
    });
    afterAll(async () => {
      await amqp.close();
      await up.end('SIGTERM');
      rmSync(data, { recursive: true, force: true });
    });

    const call = (method: string, path: string) =>
      fetch(`${up.ready.base_url}${path}`, { method, headers: { authorization: `Bearer ${token}` } });
    const act = (id: string, action: string, body: unknown) =>
      fetch(`${up.ready.simulator_url}/boxes/${id}/${action}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const vehicles = async () =>
      z.looseObject({ items: z.array(vehicle) }).parse(await (await call('GET', '/vehicles')).json()).items;
    const idOf = (firmware: string) => byFirmware.get(firmware) ?? '';

    test('a parked car is unlocked, and the message has the flow id of the call', async () => {
      const response = await call('POST', `/vehicles/${idOf('2.31')}/commands/unlock-central-lock`);
      expect(response.status).toBe(200);
      expect(state.parse(await response.json())['central_lock']?.value).toBe('UNLOCKED');
      const flowId = response.headers.get('x-service-flow-id');
      const caused = () => parsed().find(({ data: told }) => told.triggered_by?.correlation_id === flowId);
      await waitUntil(() => caused() !== undefined);
      expect(caused()?.data).toMatchObject({
        vehicle_id: idOf('2.31'),
        triggered_by: { channel: 'API_COMMAND' },
      });
    });

    test('every message matches its schema and has the three headers', async () => {
      const before = messages.length;
      for (const firmware of ['2.23', '2.24']) {
        expect(
          (await call('POST', `/vehicles/${idOf(firmware)}/commands/request-vehicle-state`)).status,
        ).toBe(200);
      }
      await waitUntil(() => messages.length >= before + 2);
      for (const { content, properties } of messages) {
        const { metadata } = vehicleStateReceived.parse(JSON.parse(content.toString('utf8')));
        expect(properties.headers).toMatchObject({
          'Flow-ID': metadata.flow_id,
          'Message-Type': metadata.message_type,
          'Message-Version': metadata.version,
        });
        expect(properties.messageId).toBe(metadata.message_id);
        expect(properties.deliveryMode).toBe(2);
      }
    });

    test('the system status has its fifteen properties and no other', async () => {
      const response = await call('POST', `/vehicles/${idOf('2.23')}/box-commands/request-system-status`);
      expect(response.status).toBe(200);
      expect(
        Object.keys(z.record(z.string(), z.unknown()).parse(await response.json())).toSorted((a, b) =>
          a.localeCompare(b),
        ),
      ).toEqual(STATUS_PROPERTIES);
    });

    test('workshop mode needs firmware 2.24, and then OBD values are frozen while the position is updated', async () => {
      const refused = await call('POST', `/vehicles/${idOf('2.23')}/box-commands/activate-workshop-mode`);
      expect(refused.status).toBe(409);
      expect(await refused.json()).toMatchObject({ type: '/problems/incompatible-firmware-version' });
      const path = `/vehicles/${idOf('2.24')}`;
      expect((await call('POST', `${path}/box-commands/activate-workshop-mode`)).status).toBe(204);
      const look = async () =>
        vehicle.parse(await (await call('GET', path)).json()).latest_vehicle_state ?? {};
      const before = await look();
      expect((await call('POST', `${path}/commands/request-vehicle-state`)).status).toBe(200);
      const after = await look();
      expect(after['mileage_in_kilometers']).toEqual(before['mileage_in_kilometers']);
      expect(after['speed_in_kph']).toEqual(before['speed_in_kph']);
      expect(Date.parse(after['position']?.timestamp ?? '')).toBeGreaterThanOrEqual(
        Date.parse(before['position']?.timestamp ?? ''),
      );
      expect((await call('POST', `${path}/box-commands/deactivate-workshop-mode`)).status).toBe(204);
    });

    test('a board reset is answered, and the status afterwards shows it', async () => {
      const path = `/vehicles/${idOf('2.31')}/box-commands`;
      const from = Date.now();
      expect((await call('POST', `${path}/board-reset`)).status).toBe(204);
      let status: Record<string, unknown> = {};
      await waitUntil(async () => {
        const response = await call('POST', `${path}/request-system-status`);
        if (response.status === 200) status = z.record(z.string(), z.unknown()).parse(await response.json());
        return response.status === 200;
      });
      expect(status['board_reset_reason']).toBe('USER');
      // Times have whole seconds, and the clock of a box may differ a little.
      expect(Date.parse(String(status['device_up_since']))).toBeGreaterThan(from - 5_000);
    });

    test('a command to a box known to be disconnected is a 504 at once', async () => {
      const id = idOf('2.23');
      await act(id, 'coverage', { available: false });
      await waitUntil(
        async () => (await vehicles()).find((one) => one.id === id)?.life_status.value !== 'ONLINE',
      );
      const status = () => call('POST', `/vehicles/${id}/box-commands/request-system-status`);
      const response = await status();
      expect(response.status).toBe(504);
      expect(await response.json()).toMatchObject({ type: '/problems/vehicle/no-connection' });
      await act(id, 'coverage', { available: true });
      // Restores the boxes for the next test.
      await waitUntil(async () => (await status()).status === 200, 40_000);
    });

    const parsed = () =>
      messages.map((message) => vehicleStateReceived.parse(JSON.parse(message.content.toString('utf8'))));
  });
});

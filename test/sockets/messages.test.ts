import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChannelModel, connect } from 'amqplib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { EXCHANGE } from '../../backend/events/message.ts';
import { MESSAGE_SCHEMAS } from '../../backend/events/message-table.ts';
import { queueName, TOPICS } from '../../contract/messages.ts';
import { rabbitmq, waitUntil, withService } from '../support/run/external-services.ts';
import { UpProcess } from '../support/sockets/up-process.ts';

const SCHEMAS: Readonly<Record<string, z.ZodType>> = MESSAGE_SCHEMAS;
const list = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) });
const status = z.looseObject({ status: z.string() });
const truth = z.looseObject({ truth: z.looseObject({ ignitionOn: z.boolean(), driverWish: z.string() }) });

await withService(rabbitmq, ({ url }) => {
  describe('all six messages, each caused over the API and the control API', () => {
    let data: string;
    let up: UpProcess;
    let token: string;
    let amqp: ChannelModel;
    /** By the name in the routing key, in order of arrival. */
    const bodies: { readonly name: string; readonly vehicleId: string; readonly body: unknown }[] = [];

    beforeAll(async () => {
      data = mkdtempSync(join(tmpdir(), 'boxtwin-'));
      const ports = await UpProcess.ownPorts();
      up = await UpProcess.start([
        '--vehicles',
        '12',
        '--seed',
        '3',
        '--data',
        data,
        '--amqp',
        url,
        ...ports,
      ]);
      amqp = await connect(url);
      const channel = await amqp.createChannel();
      for (const { topic } of TOPICS) await channel.checkQueue(queueName(topic, 'demo'));
      const { queue } = await channel.assertQueue('', { exclusive: true });
      await channel.bindQueue(queue, EXCHANGE, `${up.ready.fleet_id}.#`);
      const read = z.looseObject({ data: z.looseObject({ vehicle_id: z.string() }) });
      const hear = (key: string, body: unknown) => {
        const name = key.slice(key.indexOf('.') + 1);
        bodies.push({ name, vehicleId: read.parse(body).data.vehicle_id, body });
      };
      await channel.consume(
        queue,
        (message) =>
          message !== null && hear(message.fields.routingKey, JSON.parse(message.content.toString('utf8'))),
        { noAck: true },
      );
      token = await up.token();
    });
    afterAll(async () => {
      await amqp.close();
      await up.end('SIGTERM');
      rmSync(data, { recursive: true, force: true });
    });

    const call = (method: string, path: string, body?: unknown) =>
      fetch(`${up.ready.base_url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const act = async (id: string, action: string, body: unknown) => {
      const answer = await fetch(`${up.ready.simulator_url}/boxes/${id}/${action}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${action}: ${answer.status} ${await answer.text()}`);
    };
    const has = (name: string, vehicleId: string) =>
      bodies.some((one) => one.name === name && one.vehicleId === vehicleId);

    type Wanted = (one: z.infer<typeof truth>['truth']) => boolean;

    /** The first matching vehicle that supports the feature. Drivers come and go: there may be one a little later. */
    async function withFeature(feature: string, parameters: unknown, isWanted: Wanted = () => true) {
      const candidates = new Set(
        list.parse(await (await call('GET', '/vehicles')).json()).items.map(({ id }) => id),
      );
      let found: string | undefined;
      await waitUntil(async () => {
        for (const id of candidates) {
          const box = await fetch(`${up.ready.simulator_url}/boxes/${id}`);
          if (!box.ok || !isWanted(truth.parse(await box.json()).truth)) continue;
          candidates.delete(id);
          const path = `/vehicles/${id}/telematics-unit/feature-configuration/${feature}`;
          if ((await call('PUT', path, parameters)).status !== 200) continue;
          const isActive = async () =>
            status.parse(await (await call('GET', path)).json()).status === 'ACTIVE';
          await waitUntil(isActive, 60_000);
          found = id;
          return true;
        }
        return candidates.size === 0;
      });
      if (found === undefined) throw new Error(`No vehicle takes ${feature}.`);
      return found;
    }

    test('each is published after its cause, and matches its schema', async () => {
      const isParked = (one: { ignitionOn: boolean; driverWish: string }) =>
        !one.ignitionOn && one.driverWish !== 'drive';
      const gathering = { crash_detection: { data_gathering_duration_in_seconds: 1 } };
      const crashed = await withFeature('driving-events', gathering, (one) => one.ignitionOn);
      await act(crashed, 'crash', { acceleration_in_mg: 6_000, duration_ms: 60, direction: 'front' });
      const struck = await withFeature('parking-events', {}, isParked);
      await act(struck, 'shock', { acceleration_in_mg: 900 });
      const smoky = await withFeature('smoke-detection', { minimum_duration_in_seconds: 1 });
      await act(smoky, 'smoke', { concentration_in_micrograms_per_cubic_meter: 900, duration_s: 5 });
      const dented = await withFeature('damage-detection', { sensitivity: 'HIGH' });
      await act(dented, 'bump', { strength_in_mg: 1_200, side: 'left' });
      expect((await call('PATCH', `/vehicles/${dented}`, { tags: ['dented'] })).status).toBe(200);
      const wanted = [
        ['DrivingEventDetected', crashed],
        ['ParkingEventDetected', struck],
        ['SmokeDetected', smoky],
        ['DamageDetected', dented],
        ['VehicleDataChanged', dented],
        ['VehicleStateReceived', dented],
      ] as const;
      await waitUntil(() => wanted.every(([name, id]) => has(name, id)), 30_000);
      for (const { name, body } of bodies) expect(SCHEMAS[name]?.parse(body)).toEqual(body);
    }, 200_000);
  });
});

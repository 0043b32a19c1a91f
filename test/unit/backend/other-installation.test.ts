import { afterEach, describe, expect, test } from 'vitest';
import type { ServiceReadiness } from '../../../backend/monitoring/health.ts';
import { type Service, startService } from '../../../backend/service.ts';
import type { ServiceSettings } from '../../../backend/settings.ts';
import { openSqliteStore } from '../../../backend/store/sqlite/store.ts';
import { topics } from '../../../protocol/topics.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../world/virtual-world.ts';

const BASE_URL = 'http://127.0.0.1:8080';
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function begin(world: VirtualWorld, name: string, settings: Partial<ServiceSettings>): Service {
  const store = openSqliteStore(':memory:', { nowMs: () => world.time.nowMs() });
  const service = startService(world.instance(name), store, {
    baseUrl: BASE_URL,
    mqtt: { clientId: name, username: 'backend', password: 'secret' },
    answerTimeoutMs: 20_000,
    queues: [],
    ...settings,
  });
  ends.push(async () => {
    service.sever();
    await store.close();
  });
  return service;
}

async function mqttCheck(world: VirtualWorld, service: Service) {
  const answer = await world.run(() => service.fetch(new Request(`${BASE_URL}/health/ready`)));
  const { checks } = (await answer.json()) as ServiceReadiness;
  return checks.find(({ name }) => name === 'mqtt');
}

/** Clears the retained message, as an operator does. */
async function free(world: VirtualWorld): Promise<void> {
  const session = await world.mqtt.open(
    {
      clientId: 'admin',
      username: 'backend',
      password: 'secret',
      clean: true,
      keepAliveS: 30,
      connectTimeoutMs: 5_000,
    },
    { message: () => undefined, closed: () => undefined },
  );
  await session.publish({ topic: topics.installation, payload: new Uint8Array(), retain: true });
  await session.end();
}

describe('a service whose MQTT broker is another installation’s', () => {
  test.each<[string, (backend: string) => Partial<ServiceSettings>]>([
    ['alone on its store', () => ({})],
    ['that shares its store', (backend) => ({ shared: { backend } })],
  ])(
    'says so at its health, names both and what to do, until the broker is free; one %s',
    async (_kind, of) => {
      const world = openVirtualWorld({ seed: 1 });
      const first = begin(world, 'first', { installationId: 'INSTALL1', ...of('first') });
      await world.run(() => first.started);
      const second = begin(world, 'second', { installationId: 'INSTALL2', ...of('second') });
      expect(second.mqttRefusal()).toBeUndefined();
      await world.runFor(5_000);
      const told = await mqttCheck(world, second);
      expect(told).toMatchObject({ status: 'failed' });
      for (const part of [
        "service/installation holds 'INSTALL1'",
        'this one is INSTALL2',
        'broker of its own',
      ])
        expect(told?.reason).toContain(part);
      expect(told?.reason).toContain(second.mqttRefusal());
      expect(await mqttCheck(world, first)).toMatchObject({ status: 'ok', reason: '' });
      await world.run(() => first.stop());
      await world.run(() => free(world));
      await world.run(() => second.started);
      expect(await mqttCheck(world, second)).toMatchObject({ status: 'ok', reason: '' });
      expect(second.mqttRefusal()).toBeUndefined();
    },
  );
});

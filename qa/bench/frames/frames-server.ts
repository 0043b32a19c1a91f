import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Aedes } from 'aedes';
import { connectAsync } from 'mqtt';
import { startService } from '../../../backend/service.ts';
import { openThreadedStore } from '../../../backend/store/sqlite/threaded-store.ts';
import { startMqttBroker } from '../../../brokers/mqtt/broker.ts';
import { serviceSettings } from '../../../scenarios/service-settings.ts';
import { makeSigningKey } from '../../../world/crypto/real-crypto.ts';
import { realLog } from '../../../world/log/real-log.ts';
import { openRealWorld } from '../../../world/real-world.ts';
import { messageFromParent } from '../measure/children.ts';
import type { FramesPlan } from './frames.ts';
import { boxIdsOf, model, QUEUE, vehicleIdOf } from './frames-fleet.ts';

/** The receiving process of qa/bench/frames/frames.ts, in either variant; tells its port, and ends on request. */
const plan = await messageFromParent<FramesPlan>();
const boxIds = boxIdsOf(plan.boxes);
const VEHICLES_AT_ONCE = 1_000;
const end = plan.variant === 'bare' ? await bare() : await service();
await once(process, 'message');
await end();
process.exit(0);

/** aedes and one subscriber, which notifies the clients at the end on a separate topic. */
async function bare(): Promise<() => Promise<void>> {
  const { port, close } =
    plan.mqttPort === undefined ? await aedes() : { port: plan.mqttPort, close: () => undefined };
  const subscriber = await connectAsync(`mqtt://127.0.0.1:${port}`, { clientId: 'backend', clean: false });
  await subscriber.subscribeAsync('boxes/+/+/up', { qos: 1 });
  let arrived = 0;
  subscriber.on('message', () => {
    arrived += 1;
    if (arrived === plan.boxes * plan.framesPerBox) subscriber.publish('done', 'all', { qos: 1 });
  });
  process.send?.({ port });
  return async () => {
    await subscriber.endAsync(true);
    close();
  };
}

async function aedes(): Promise<{ readonly port: number; close(): unknown }> {
  const broker = await Aedes.createBroker();
  const server = createServer({ noDelay: true }, broker.handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { port, close: () => server.close() };
}

async function service(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-bench-'));
  const password = 'bench';
  const log = realLog('error');
  const broker = await startMqttBroker({
    host: '127.0.0.1',
    port: 0,
    backend: { username: 'backend', password },
    authenticate: () => Promise.resolve(true),
    log,
  });
  const store = await openThreadedStore(join(folder, 'backend.sqlite'));
  const world = await openRealWorld({
    seed: 1,
    mqttUrl: plan.mqttPort === undefined ? broker.url : `mqtt://127.0.0.1:${plan.mqttPort}`,
    amqpUrl: plan.amqpUrl,
    flash: join(folder, 'flash.sqlite'),
    signingKey: await makeSigningKey(),
    log,
  });
  await store.access.saveFleet({ id: 'BENCH', name: 'Bench' });
  // What is saved at the same time shares a commit.
  for (let from = 0; from < boxIds.length; from += VEHICLES_AT_ONCE)
    await Promise.all(boxIds.slice(from, from + VEHICLES_AT_ONCE).map(save));
  async function save(boxId: string): Promise<void> {
    await store.vehicles.save({
      id: vehicleIdOf(boxId),
      fleetId: 'BENCH',
      boxId,
      boxSecretHash: '',
      generation: 2,
      model,
      setupStatus: 'SUCCEEDED',
      masterData: {},
      tags: [],
      atMs: world.time.nowMs(),
    });
  }
  const running = startService(
    // As `up` does it: without a socket to a broker of this process.
    plan.mqttPort === undefined ? { ...world, mqtt: broker.inProcess } : world,
    store,
    serviceSettings({
      baseUrl: 'http://127.0.0.1',
      mqtt: { clientId: 'backend-bench', username: 'backend', password },
      queues: plan.amqpUrl === undefined ? [] : [{ name: QUEUE, fleetId: 'BENCH' }],
    }),
  );
  await running.started;
  process.send?.({ port: plan.mqttPort ?? broker.port });
  return async () => {
    await running.stop();
    await broker.close();
    await store.close();
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  };
}

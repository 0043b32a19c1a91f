import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Aedes } from 'aedes';
import { connectAsync } from 'mqtt';
import { startService } from '../backend/service.ts';
import { openSqliteStore } from '../backend/store/sqlite.ts';
import { startMqttBroker } from '../brokers/mqtt/broker.ts';
import { realLog } from '../world/real-log.ts';
import { makeSealKey } from '../world/real-seal.ts';
import { openRealWorld } from '../world/real-world.ts';
import { load } from './frames.ts';
import { boxIds, model, vehicleIdOf } from './frames-fleet.ts';

/** The receiving process of bench/frames.ts, in either variant; says on which port it listens, and ends when told. */
const end = process.argv[2] === 'bare' ? await bare() : await service();
await once(process, 'message');
await end();
process.exit(0);

/** aedes and one subscriber, which tells the clients at the end over a topic of its own. */
async function bare(): Promise<() => Promise<void>> {
  const aedes = await Aedes.createBroker();
  const server = createServer({ noDelay: true }, aedes.handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const subscriber = await connectAsync(`mqtt://127.0.0.1:${port}`, { clientId: 'backend', clean: false });
  await subscriber.subscribeAsync('boxes/+/up', { qos: 1 });
  let arrived = 0;
  subscriber.on('message', () => {
    arrived += 1;
    if (arrived === load.boxes * load.framesPerBox) subscriber.publish('done', 'all', { qos: 1 });
  });
  process.send?.({ port });
  return async () => {
    await subscriber.endAsync(true);
    server.close();
  };
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
  const store = openSqliteStore(join(folder, 'backend.sqlite'));
  const world = await openRealWorld({
    seed: 1,
    mqttUrl: broker.url,
    amqpUrl: undefined,
    flashPath: join(folder, 'flash.sqlite'),
    sealKey: await makeSealKey(),
    log,
  });
  await store.access.saveFleet({ id: 'BENCH', name: 'Bench' });
  for (const boxId of boxIds) {
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
  const running = startService(world, store, {
    baseUrl: 'http://127.0.0.1',
    mqtt: { clientId: 'backend-bench', username: 'backend', password },
    answerTimeoutMs: 20_000,
    queues: [],
  });
  await running.started;
  process.send?.({ port: broker.port });
  return async () => {
    await running.stop();
    await broker.close();
    await store.close();
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  };
}

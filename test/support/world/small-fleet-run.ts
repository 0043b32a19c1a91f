import { pathToFileURL } from 'node:url';
import type { MqttSessionEvents } from '../../../world/mqtt/mqtt-client.ts';
import { runInSandbox } from '../../../world/sandbox/virtual-sandbox.ts';
import { sleep } from '../../../world/time/time.ts';
import { openVirtualWorld, type ProcessInstance, type VirtualWorld } from '../../../world/virtual-world.ts';
import { NetworkSwitches } from './network-switches.ts';

const BOX_COUNT = 30;
const RUN_MS = 20 * 60_000;

/**
 * A run that uses every port of the world with chance in all of it: boxes that report through cuts, stalls and
 * half-open connections, a backend that is killed and started again, an exchange with faults. Returns its hash.
 * Started as a program it prints the hash for the seed that it is given.
 */
export function hashOfRun(seed: number): Promise<string> {
  const world = openVirtualWorld({ seed });
  return runInSandbox(world, async () => {
    for (let index = 0; index < BOX_COUNT; index++) void box(world, `box-${index}`);
    void weather(world);
    void backends(world);
    await world.runFor(RUN_MS);
    return world.hash();
  });
}

async function box(world: VirtualWorld, clientId: string): Promise<void> {
  const stream = world.random.stream(clientId);
  const events: MqttSessionEvents = {
    message: (_t, _p, _r, acknowledge) => acknowledge(),
    closed: () => undefined,
  };
  for (;;) {
    try {
      const will = {
        topic: `${clientId}/gone`,
        payload: Buffer.from(new Date().toISOString()),
        retain: true,
      };
      const session = await world.mqtt.open(
        {
          clientId,
          username: clientId,
          password: '',
          clean: true,
          keepAliveS: 60,
          connectTimeoutMs: 5_000,
          will,
        },
        events,
      );
      await session.subscribe(`${clientId}/down`);
      for (;;) {
        const payload = Buffer.from(`${world.ids.ulid()} ${Math.random()}`);
        await world.flash.write(clientId, [{ put: 'last', bytes: payload }]);
        await session.publish({ topic: `${clientId}/up`, payload, retain: false });
        await sleep(world.time, stream.whole(1_000, 60_000));
      }
    } catch {
      await sleep(world.time, stream.whole(500, 30_000));
    }
  }
}

async function weather(world: VirtualWorld): Promise<void> {
  const stream = world.random.stream('weather');
  const switches = new NetworkSwitches(world.networkFaults);
  for (;;) {
    await sleep(world.time, stream.whole(1_000, 20_000));
    const clientId = stream.pick([...world.mqttBroker.connected, 'box-0']);
    const kind = stream.whole(0, 4);
    if (kind === 0) world.networkFaults.cut(clientId);
    else if (kind === 1) switches.losePuback(clientId);
    else if (kind === 2) switches.set('latency', clientId, { delayMs: stream.whole(1, 900), jitterMs: 50 });
    else {
      const turnTo = (isOn: boolean) =>
        kind === 3 ? switches.stall(clientId, isOn) : switches.halfOpen(clientId, isOn);
      turnTo(true);
      world.time.alarm(world.time.nowMs() + stream.whole(1_000, 200_000), () => turnTo(false));
    }
  }
}

async function backends(world: VirtualWorld): Promise<void> {
  for (;;) {
    const program = world.instance('backend');
    void backend(program).catch(() => undefined);
    await sleep(world.time, world.random.stream(program.ids.uuid()).whole(30_000, 300_000));
    program.kill();
  }
}

async function backend(program: ProcessInstance): Promise<void> {
  const amqpSession = await program.amqp?.open(
    { connectTimeoutMs: 1_000 },
    { closed: () => undefined, blocked: () => undefined },
  );
  await amqpSession?.declareQueue('queue', { messageTtlMs: 60_000 });
  const secret = await program.crypto.hashSecret(program.ids.secret(8));
  program.log.info({ secret }, 'started');
  const session = await program.mqtt.open(
    {
      clientId: 'backend',
      username: 'backend',
      password: '',
      clean: false,
      keepAliveS: 60,
      connectTimeoutMs: 5_000,
    },
    {
      message: (topic, payload, _retained, acknowledge) => {
        const body = payload.slice();
        void amqpSession
          ?.publish({
            exchange: '',
            routingKey: 'queue',
            body,
            messageId: program.ids.ulid(),
            type: topic,
            timestampS: Math.floor(Date.now() / 1_000),
            contentType: 'text/plain',
            headers: {},
          })
          .then(acknowledge, () => undefined);
      },
      closed: () => program.log.warn({}, 'closed'),
    },
  );
  await session.subscribe('+/up');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  console.log(await hashOfRun(Number(process.argv[2])));

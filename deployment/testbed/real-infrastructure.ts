import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueueAccounts } from '../../backend/events/accounts.ts';
import type { Store } from '../../backend/store/port/store.ts';
import type { SubscriptionStore } from '../../backend/store/port/subscription-store.ts';
import { openThreadedStore } from '../../backend/store/sqlite/threaded-store.ts';
import { BACKEND } from '../../scenarios/testbed/common/names.ts';
import type { FaultyAmqpPublisher } from '../../world/amqp/faulty-amqp-publisher.ts';
import { realAmqpPublisher } from '../../world/amqp/real-amqp-publisher.ts';
import { makeSigningKey, realCrypto } from '../../world/crypto/real-crypto.ts';
import type { Log } from '../../world/log/log.ts';
import { realLog } from '../../world/log/real-log.ts';
import { realRandom } from '../../world/random/real-random.ts';
import { openRealWorld } from '../../world/real-world.ts';
import { closableTime } from '../../world/time/closable-time.ts';
import { type RealClocks, realClocks } from '../../world/time/real-time.ts';
import type { World } from '../../world/world.ts';
import { asQueueAccounts, subscriptionAccounts } from '../brokers/embedded-accounts.ts';
import { openEmbeddedAmqp } from '../brokers/embedded-amqp.ts';
import { disturbedPublisher } from '../faults/service-faults.ts';
import { Disposables } from '../shared/disposables.ts';
import { withAccount } from '../shared/user-errors.ts';
import { type MqttSide, openMqttSide } from './mqtt-side.ts';

/** The resources of a testbed over sockets: a directory, a database, two brokers with faults before them, a world. */
export interface RealInfrastructure {
  readonly world: World;
  readonly store: Store;
  readonly mqtt: MqttSide;
  readonly amqp: AmqpSide;
  /** The faults of the service's connection to the AMQP broker, and of what it publishes. */
  readonly exchange: FaultyAmqpPublisher;
  /** Closed before the infrastructure itself, in reverse order of adding. */
  readonly disposables: Disposables;
  /** Ends everything and removes the directory. Calling it twice does nothing. */
  close(): Promise<void>;
}

/** Opens it on free ports of 127.0.0.1. Rejects with the reason, and leaves nothing behind then. */
export async function openRealInfrastructure(options: {
  readonly seed: number;
  readonly secretOf: (boxId: string) => string | undefined;
}): Promise<RealInfrastructure> {
  const disposables = new Disposables();
  try {
    return await startInfrastructure(options, disposables, realClocks());
  } catch (error) {
    await disposables.close();
    throw error;
  }
}

async function startInfrastructure(
  { seed, secretOf }: Parameters<typeof openRealInfrastructure>[0],
  disposables: Disposables,
  clocks: RealClocks,
): Promise<RealInfrastructure> {
  const path = await mkdtemp(join(tmpdir(), 'boxtwin-scenario-'));
  await disposables.add(() => rm(path, { recursive: true, force: true }));
  const { time, close: closeTime } = closableTime(clocks.time);
  await disposables.add(closeTime);
  const { time: steadyTime, close: closeSteadyTime } = closableTime(clocks.steadyTime);
  await disposables.add(closeSteadyTime);
  const log = realLog('silent');
  const signingKey = await makeSigningKey();
  const store = await openThreadedStore(join(path, 'store.sqlite'));
  await disposables.add(() => store.close());
  const draws = realRandom(seed).stream('weather');
  const mqtt = await openMqttSide({ secretOf, draw: () => draws.fraction(), log });
  await disposables.add(() => mqtt.close());
  const amqp = await openAmqpSide({
    users: store.subscriptions,
    crypto: await realCrypto(signingKey),
    log,
  });
  await disposables.add(() => amqp.close());
  const flashPath = join(path, 'flash.sqlite');
  const world = await openRealWorld({
    seed,
    flash: flashPath,
    signingKey,
    log,
    mqttUrl: mqtt.url,
    amqpUrl: undefined,
  });
  await disposables.add(() => world.close());
  const publisher = disturbedPublisher(realAmqpPublisher({ url: amqp.url }), time);
  let closing: Promise<void> | undefined;
  return {
    world: { ...world, time, steadyTime, amqp: publisher.amqp },
    store,
    mqtt,
    amqp,
    disposables,
    exchange: publisher.exchange,
    close: () => (closing ??= disposables.close()),
  };
}

const HOST = '127.0.0.1';

/** The embedded AMQP broker of a testbed, on a free port. */
interface AmqpSide {
  /** With the account of the service. */
  readonly url: string;
  readonly accounts: QueueAccounts;
  close(): Promise<void>;
}

async function openAmqpSide(parts: {
  readonly users: Pick<SubscriptionStore, 'userOf'>;
  readonly crypto: Pick<World['crypto'], 'verifySecret'>;
  readonly log: Log;
}): Promise<AmqpSide> {
  const { users, crypto, log } = parts;
  const { broker, accounts } = await openEmbeddedAmqp({
    path: ':memory:',
    owners: [BACKEND],
    openAccounts: (dismiss) => subscriptionAccounts({ users, crypto, dismiss }),
    log,
  });
  const { port, url } = await broker.listen({ host: HOST, port: 0 });
  return {
    url: withAccount(url, BACKEND),
    accounts: asQueueAccounts(accounts, { host: HOST, port, virtualHost: '/' }),
    close: () => broker.close(),
  };
}

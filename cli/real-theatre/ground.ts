import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore, type SqliteStore } from '../../backend/store/sqlite.ts';
import { type ClosableTime, closableTime } from '../../world/closable-time.ts';
import { realLog } from '../../world/real-log.ts';
import { realRandom } from '../../world/real-random.ts';
import { makeSealKey, realSeal } from '../../world/real-seal.ts';
import { realTime } from '../../world/real-time.ts';
import { openRealWorld } from '../../world/real-world.ts';
import type { World } from '../../world/world.ts';
import { Endings } from '../endings.ts';
import { type AmqpSide, openAmqpSide } from './amqp-side.ts';
import { type MqttSide, openMqttSide } from './mqtt-side.ts';

/** What a theatre over sockets stands on: a directory, a database, two brokers with weather before them, a world. */
export interface Ground {
  readonly world: World;
  readonly store: SqliteStore;
  readonly mqtt: MqttSide;
  readonly amqp: AmqpSide;
  /** What is to be ended before the ground itself; the last added first. */
  readonly endings: Endings;
  /** Ends everything and removes the directory. Calling it twice does nothing. */
  close(): Promise<void>;
}

/** Opens it on free ports of 127.0.0.1. Rejects with the reason, and leaves nothing behind then. */
export async function openGround(options: {
  readonly seed: number;
  readonly secretOf: (boxId: string) => string | undefined;
}): Promise<Ground> {
  const endings = new Endings();
  try {
    return await layGround(options, endings, closableTime(realTime()));
  } catch (error) {
    await endings.close();
    throw error;
  }
}

async function layGround(
  { seed, secretOf }: Parameters<typeof openGround>[0],
  endings: Endings,
  { time, close: closeTime }: ClosableTime,
): Promise<Ground> {
  const path = await mkdtemp(join(tmpdir(), 'boxtwin-scenario-'));
  await endings.add(() => rm(path, { recursive: true, force: true }));
  await endings.add(closeTime);
  const log = realLog('silent');
  const sealKey = await makeSealKey();
  const store = openSqliteStore(join(path, 'store.sqlite'));
  await endings.add(() => store.close());
  const draws = realRandom(seed).stream('weather');
  const mqtt = await openMqttSide({ secretOf, draw: () => draws.fraction(), log });
  await endings.add(() => mqtt.close());
  const amqp = await openAmqpSide({ users: store.subscriptions, seal: await realSeal(sealKey), time, log });
  await endings.add(() => amqp.close());
  const flashPath = join(path, 'flash.sqlite');
  const world = await openRealWorld({
    ...{ seed, flashPath, sealKey, log },
    mqttUrl: mqtt.url,
    amqpUrl: amqp.url,
  });
  await endings.add(() => world.close());
  const { exchange } = world;
  let closing: Promise<void> | undefined;
  return {
    world: {
      ...world,
      time,
      exchange: exchange === undefined ? undefined : amqp.exchange.guard(exchange),
    },
    ...{ store, mqtt, amqp, endings },
    close: () => (closing ??= endings.close()),
  };
}

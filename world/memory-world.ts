import { makeSigningKey, realCrypto } from './crypto/real-crypto.ts';
import { memoryFlash } from './flash/memory-flash.ts';
import { realHttp } from './http/real-http.ts';
import { realIds } from './ids/real-ids.ts';
import { limits } from './limits.ts';
import type { Log } from './log/log.ts';
import { type MemoryMqtt, memoryMqtt } from './mqtt/memory-mqtt.ts';
import { realRandom } from './random/real-random.ts';
import type { RealWorld } from './real-world.ts';
import { realClocks } from './time/real-time.ts';
import { realTrace } from './trace/real-trace.ts';

export interface MemoryWorldOptions {
  /** The seed of the fleet's chance. */
  readonly seed: number;
  readonly log: Log;
}

/** A world in real time whose MQTT broker and flash are in this process's memory. */
export interface MemoryWorld extends RealWorld {
  readonly mqttBroker: MemoryMqtt['broker'];
}

/** The world of a large fleet in one process: no socket for a box, and no disk. It ends with the process. */
export async function openMemoryWorld({ seed, log }: MemoryWorldOptions): Promise<MemoryWorld> {
  const { time, steadyTime } = realClocks();
  const trace = realTrace(log);
  const mqtt = memoryMqtt({ time, trace }, { queueBound: limits.memoryQueueMessages });
  const flash = memoryFlash();
  return {
    time,
    steadyTime,
    random: realRandom(seed),
    ids: realIds(time),
    crypto: await realCrypto(await makeSigningKey()),
    flash,
    mqtt: mqtt.client,
    mqttBroker: mqtt.broker,
    amqp: undefined,
    http: realHttp(),
    trace,
    log,
    close: () => flash.close(),
  };
}

import type { AmqpPublisher } from './amqp/amqp-publisher.ts';
import type { Crypto } from './crypto/crypto.ts';
import type { Flash } from './flash/flash.ts';
import type { Http } from './http/http.ts';
import type { IdGenerator } from './ids/ids.ts';
import type { Log } from './log/log.ts';
import type { MqttClient } from './mqtt/mqtt-client.ts';
import type { Random } from './random/random.ts';
import type { Time } from './time/time.ts';
import type { Trace } from './trace/trace.ts';

/** The ports of a program. A part that needs fewer asks for fewer: `Pick<World, 'time' | 'mqtt'>`. */
export interface World {
  readonly time: Time;
  /**
   * Time for what compares lengths of time alone, such as leases: its clock goes on evenly when that of `time` is set. It
   * may show another time than `time`, and is written nowhere.
   */
  readonly steadyTime: Time;
  readonly random: Random;
  readonly ids: IdGenerator;
  readonly crypto: Crypto;
  readonly flash: Flash;
  readonly mqtt: MqttClient;
  /** Undefined: messages are not published (`--amqp none`). */
  readonly amqp: AmqpPublisher | undefined;
  readonly http: Http;
  readonly trace: Trace;
  readonly log: Log;
}

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
   * Time for measuring durations only, such as those of leases: setting the clock of `time` does not affect it. It may
   * differ from `time`, and is stored nowhere.
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

import type { StoreFaultLayers } from '../../scenarios/testbed/common/faults/store-faults.ts';
import type { AmqpPublisher } from '../../world/amqp/amqp-publisher.ts';
import { FaultyAmqpPublisher } from '../../world/amqp/faulty-amqp-publisher.ts';
import type { MqttClient } from '../../world/mqtt/mqtt-client.ts';
import type { Time } from '../../world/time/time.ts';
import type { World } from '../../world/world.ts';
import { cuttableAmqp, cuttableMqtt } from './cuttable-peers.ts';
import type { LiveFaultParts } from './live-fault-parts.ts';

/** The ports of the service that breaks can disturb. */
export interface ServiceFaults {
  readonly mqtt: MqttClient;
  readonly amqp: AmqpPublisher | undefined;
  readonly parts: Pick<LiveFaultParts, 'serviceMqtt' | 'exchange' | 'store'>;
}

/** Adds faults to the ports of a service in this process. `mqtt`: how it reaches the broker. */
export function serviceFaults(
  { amqp, time }: Pick<World, 'amqp' | 'time'>,
  mqtt: MqttClient,
  store: StoreFaultLayers,
): ServiceFaults {
  const overMqtt = cuttableMqtt(mqtt);
  const serviceMqtt = overMqtt.cuttable;
  if (amqp === undefined) {
    const exchange = { trouble: 'There is no broker for messages (--amqp none).' };
    return { mqtt: overMqtt.mqtt, amqp, parts: { serviceMqtt, exchange, store } };
  }
  const disturbed = disturbedPublisher(amqp, time);
  const { exchange } = disturbed;
  return { mqtt: overMqtt.mqtt, amqp: disturbed.amqp, parts: { serviceMqtt, exchange, store } };
}

/** The same publisher, whose connections and confirms faults of the exchange can disturb. */
export function disturbedPublisher(
  publisher: AmqpPublisher,
  time: Time,
): { readonly amqp: AmqpPublisher; readonly exchange: FaultyAmqpPublisher } {
  const { amqp, cuttable } = cuttableAmqp(publisher);
  const exchange = new FaultyAmqpPublisher(time, cuttable);
  return { amqp: exchange.wrap(amqp), exchange };
}

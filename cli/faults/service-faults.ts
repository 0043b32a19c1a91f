import type { Store } from '../../backend/store/port/store.ts';
import { StoreFaultLayers } from '../../scenarios/testbed/common/faults/store-faults.ts';
import type { AmqpPublisher } from '../../world/amqp/amqp-publisher.ts';
import { FaultyAmqpPublisher } from '../../world/amqp/faulty-amqp-publisher.ts';
import type { MqttClient } from '../../world/mqtt/mqtt-client.ts';
import type { World } from '../../world/world.ts';
import { cuttableAmqp, cuttableMqtt } from './cuttable-peers.ts';
import type { LiveFaultParts } from './live-fault-parts.ts';

/** The ports of the service as breaks can disturb them. */
export interface ServiceFaults {
  readonly mqtt: MqttClient;
  readonly amqp: AmqpPublisher | undefined;
  wrapStore(store: Store): Store;
  readonly parts: Pick<LiveFaultParts, 'serviceMqtt' | 'exchange' | 'store'>;
}

/** Puts faults before the ports of a service in this process. `mqtt`: how it reaches the broker. */
export function serviceFaults({ amqp, time }: Pick<World, 'amqp' | 'time'>, mqtt: MqttClient): ServiceFaults {
  const overMqtt = cuttableMqtt(mqtt);
  const store = new StoreFaultLayers();
  const wrapStore = (whole: Store) => store.wrap(whole, time);
  const serviceMqtt = overMqtt.cuttable;
  if (amqp === undefined) {
    const exchange = { trouble: 'There is no broker for messages (--amqp none).' };
    return { mqtt: overMqtt.mqtt, amqp, wrapStore, parts: { serviceMqtt, exchange, store } };
  }
  const overAmqp = cuttableAmqp(amqp);
  const exchange = new FaultyAmqpPublisher(time, overAmqp.cuttable);
  return {
    mqtt: overMqtt.mqtt,
    amqp: exchange.wrap(overAmqp.amqp),
    wrapStore,
    parts: { serviceMqtt, exchange, store },
  };
}

import type { Time } from '../time/time.ts';
import type { Trace } from '../trace/trace.ts';
import { MemoryConnection } from './memory-connection.ts';
import { MemoryMqttSession } from './memory-mqtt-session.ts';
import { MemoryTurns } from './memory-turns.ts';
import type { MqttClient } from './mqtt-client.ts';
import { type MqttAccessRules, VirtualMqttBroker } from './virtual-mqtt-broker.ts';

/** An MQTT broker in this process, and a client for it. */
export interface MemoryMqtt {
  readonly client: MqttClient;
  /** The broker of the virtual world: sessions, retained messages, wills, QoS 1, take-over. */
  readonly broker: VirtualMqttBroker;
}

export interface MemoryMqttOptions {
  /** Default: everything is allowed. */
  readonly access?: MqttAccessRules;
  /** The highest number of queued messages of a session; beyond it the newest is dropped. */
  readonly queueBound?: number;
}

/**
 * MQTT without sockets, bytes and threads, for any number of clients, in the time of `world`: packets are handed
 * over as objects, one turn after they were sent. Nothing gets lost on the way, and there are no pings.
 */
export function memoryMqtt(
  world: { readonly time: Time; readonly trace: Trace },
  { access, queueBound }: MemoryMqttOptions = {},
): MemoryMqtt {
  const broker = new VirtualMqttBroker(world.trace, access, queueBound);
  const turns = new MemoryTurns(world.time);
  const client: MqttClient = {
    open: (options, events) => {
      const connection = new MemoryConnection(turns);
      const opened = MemoryMqttSession.open(turns, connection, options, events);
      if (broker.isDown) turns.add(() => connection.reset('connection refused'));
      else connection.attach('broker', broker.accept(connection));
      return opened;
    },
  };
  return { client, broker };
}

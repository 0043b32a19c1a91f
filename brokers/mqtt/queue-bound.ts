import type { Aedes } from 'aedes';
import { limits } from './limits.ts';

/** What is used of aedes' persistence; aedes has the property, its types do not. */
interface Persistence {
  outgoingEnqueueCombi(subscriptions: readonly Subscription[], packet: Packet): Promise<void>;
  outgoingClearMessageId(client: { readonly id: string }, packet: Packet): Promise<Packet | undefined>;
}
interface Subscription {
  readonly clientId: string;
}
interface Packet {
  readonly payload?: Uint8Array | string;
}

/**
 * Bounds what the broker keeps in memory for each persistent session. Beyond `limits.queuedMessages` or `queuedBytes`
 * the newest message is not kept for it, and `onFull` is told; where that session is connected, aedes then ends its
 * connection. Nothing is lost by it: a box keeps each record until the backend's receipt.
 */
export function boundQueues(broker: Aedes, onFull: (clientId: string) => void): void {
  const persistence = persistenceOf(broker);
  const queues = new Map<string, { messages: number; bytes: number }>();
  const enqueue = persistence.outgoingEnqueueCombi.bind(persistence);
  const clear = persistence.outgoingClearMessageId.bind(persistence);

  persistence.outgoingEnqueueCombi = (subscriptions, packet) => {
    const bytes = packet.payload?.length ?? 0;
    const admitted = subscriptions.filter(({ clientId }) => {
      const queue = queues.get(clientId) ?? { messages: 0, bytes: 0 };
      if (queue.messages >= limits.queuedMessages || queue.bytes + bytes > limits.queuedBytes) {
        onFull(clientId);
        return false;
      }
      queues.set(clientId, { messages: queue.messages + 1, bytes: queue.bytes + bytes });
      return true;
    });
    return enqueue(admitted, packet);
  };

  persistence.outgoingClearMessageId = async (client, packet) => {
    const cleared = await clear(client, packet);
    const queue = queues.get(client.id);
    if (cleared !== undefined && queue !== undefined) {
      queue.messages -= 1;
      queue.bytes -= cleared.payload?.length ?? 0;
      if (queue.messages === 0) queues.delete(client.id);
    }
    return cleared;
  };
}

function persistenceOf(broker: Aedes): Persistence {
  const persistence: unknown = Reflect.get(broker, 'persistence');
  if (!isPersistence(persistence)) throw new Error('This version of aedes keeps its queues elsewhere.');
  return persistence;
}

function isPersistence(value: unknown): value is Persistence {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'outgoingEnqueueCombi') === 'function' &&
    typeof Reflect.get(value, 'outgoingClearMessageId') === 'function'
  );
}

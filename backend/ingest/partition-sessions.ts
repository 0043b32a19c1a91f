import { PARTITIONS } from '../../protocol/partitions.ts';
import { topics } from '../../protocol/topics.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import type { PartitionKeeper } from '../partitions/partition-keeper.ts';
import type { HeldLease } from '../store/port/lease-store.ts';
import { type MqttConnection, startMqttConnection } from './mqtt-connection.ts';

export interface PartitionSessionsParts {
  readonly world: Pick<World, 'time' | 'random' | 'mqtt' | 'log'>;
  /** The client ids derive from `clientId`: that of each partition, and that of this backend. */
  readonly account: { readonly clientId: string; readonly username: string; readonly password: string };
  readonly backend: string;
  /** `ServiceSettings.installationId` */
  readonly installationId?: string | undefined;
  /** What the broker kept for sessions of another kind is committed; absent: there were none. */
  readonly formerEnded?: Promise<void> | undefined;
  readonly counters: Counters;
  readonly keeper: Pick<PartitionKeeper, 'started' | 'beginSession' | 'sessionSubscribed'>;
  message(
    topic: string,
    payload: Uint8Array,
    retained: boolean,
    acknowledge: () => void,
    session: object,
  ): void;
  /** That session has ended; its held acknowledgements are void. */
  lost(session: object): void;
}

/**
 * The sessions of a backend that shares its broker with others: one for each partition that it serves, and its own one
 * for sending. A partition's session is persistent and has the client id of the partition, so that the broker delivers
 * its queued messages to the next holder of the partition, and disconnects an earlier holder (MQTT 3.1.1, 3.1.4-2). A
 * disconnected holder reconnects only if, by the store, it still holds the partition.
 */
export interface PartitionSessions extends MqttConnection {
  /** These are served here from now on. */
  open(leases: readonly HeldLease[]): void;
  /** Severs their sessions: another backend has these partitions. */
  abandon(partitions: readonly number[]): void;
  /** Ends their sessions, whose queued messages stay at the broker. Resolves at once if they never were open. */
  close(partitions: readonly number[]): Promise<void>;
  /** The partitions whose sessions are open. */
  openPartitions(): readonly number[];
}

export function startPartitionSessions(parts: PartitionSessionsParts): PartitionSessions {
  const { world, account, keeper, counters } = parts;
  const sessions = new Map<number, MqttConnection>();
  const sender = startMqttConnection({
    world,
    counters,
    filters: [],
    isClean: true,
    installationId: parts.installationId,
    account: { ...account, clientId: parts.backend },
    message: (_topic, _payload, _retained, acknowledge) => acknowledge(),
    lost: () => undefined,
  });

  function openOne({ partition, isSettled }: HeldLease): MqttConnection {
    const session = {};
    // The broker sends presence once and retains it: presence that was acknowledged and never stored is delivered again
    // with a new subscription.
    let mayMissPresence = !isSettled;
    return startMqttConnection({
      world,
      counters,
      stream: `backend/uplink/${partition}`,
      account: { ...account, clientId: clientIdOf(account.clientId, partition) },
      filters: [{ filter: topics.upOf(partition) }, { filter: topics.presenceOf(partition) }],
      begin: async () => {
        // Its records are receipted over the sending session: until that is open, receipts would be lost.
        await Promise.all([parts.formerEnded, sender.started]);
        const known = await keeper.beginSession(partition);
        return known && { wasSubscribed: known.wasSubscribed && !mayMissPresence };
      },
      subscribed: async () => {
        mayMissPresence = false;
        await keeper.sessionSubscribed(partition);
      },
      message: (topic, payload, retained, acknowledge) =>
        parts.message(topic, payload, retained, acknowledge, session),
      lost: () => parts.lost(session),
    });
  }

  return {
    started: Promise.all([sender.started, keeper.started]).then(() => undefined),
    send: (topic, payload) => sender.send(topic, payload),
    isOpen: () => sender.isOpen(),
    refusal: () => sender.refusal?.(),
    open(leases) {
      for (const lease of leases) {
        sessions.get(lease.partition)?.sever();
        sessions.set(lease.partition, openOne(lease));
      }
    },
    abandon(partitions) {
      for (const partition of partitions) {
        sessions.get(partition)?.sever();
        sessions.delete(partition);
      }
    },
    async close(partitions) {
      const closing = partitions.flatMap((partition) => sessions.get(partition) ?? []);
      for (const partition of partitions) sessions.delete(partition);
      await Promise.all(closing.map((session) => session.stop()));
    },
    openPartitions: () =>
      [...sessions].filter(([, session]) => session.isOpen()).map(([partition]) => partition),
    async stop() {
      await this.close([...sessions.keys()]);
      await sender.stop();
    },
    sever() {
      for (const session of sessions.values()) session.sever();
      sessions.clear();
      sender.sever();
    },
  };
}

/** Those of all partitions. */
export function partitionClientIds(base: string): readonly string[] {
  return Array.from({ length: PARTITIONS }, (_, partition) => clientIdOf(base, partition));
}

/** The client id of a partition's session: the same for every backend. At most 23 bytes where `base` has 18 (MQTT 3.1.1, 3.1.3.1). */
export function clientIdOf(base: string, partition: number): string {
  return `${base}-p${String(partition).padStart(2, '0')}`;
}

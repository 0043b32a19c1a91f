import { PARTITIONS } from '../../protocol/partitions.ts';
import { topics } from '../../protocol/topics.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import { type MqttConnection, startMqttConnection } from '../ingest/mqtt-connection.ts';
import type { HeldLease } from '../store/port/lease-store.ts';
import type { PartitionKeeper } from './partition-keeper.ts';

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
 * The sessions of a backend that shares its broker with others: one for each partition that it serves, and one of its own
 * over which it sends. A partition's session is persistent and has the client id of the partition, so that the broker hands
 * what it keeps for it to whoever serves the partition next, and puts an earlier holder out (MQTT 3.1.1, 3.1.4-2). Whoever
 * is put out connects again only if the store says that the partition is still its own.
 */
export interface PartitionSessions extends MqttConnection {
  /** These are served here from now on. */
  open(leases: readonly HeldLease[]): void;
  /** Cuts their sessions off: somebody else has them. */
  abandon(partitions: readonly number[]): void;
  /** Ends their sessions: what the broker still has for them it keeps. Resolves at once where they never were open. */
  close(partitions: readonly number[]): Promise<void>;
  /** The partitions whose sessions are open. */
  openPartitions(): readonly number[];
}

export function startPartitionSessions(parts: PartitionSessionsParts): PartitionSessions {
  const { world, account, keeper, counters } = parts;
  const sessions = new Map<number, MqttConnection>();
  const sender = startMqttConnection({
    ...{ world, counters, filters: [], isClean: true, installationId: parts.installationId },
    account: { ...account, clientId: parts.backend },
    message: (_topic, _payload, _retained, acknowledge) => acknowledge(),
    lost: () => undefined,
  });

  function openOne({ partition, isSettled }: HeldLease): MqttConnection {
    const session = {};
    // Presence is told once and kept by the broker: what was acknowledged and never stored is told again to a new subscription.
    let mayMissPresence = !isSettled;
    return startMqttConnection({
      ...{ world, counters, stream: `backend/uplink/${partition}` },
      account: { ...account, clientId: clientIdOf(account.clientId, partition) },
      filters: [{ filter: topics.upOf(partition) }, { filter: topics.presenceOf(partition) }],
      begin: async () => {
        // What comes over it is receipted over the sender: until that is open, receipts would be lost.
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
    send: sender.send,
    isOpen: sender.isOpen,
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

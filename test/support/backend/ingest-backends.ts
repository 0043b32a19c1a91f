import { type Counters, makeCounters } from '../../../backend/base/counters.ts';
import { type Ingest, startIngest } from '../../../backend/ingest/ingest.ts';
import { type PartitionKeeper, startPartitionKeeper } from '../../../backend/partitions/partition-keeper.ts';
import type { IngestStore } from '../../../backend/store/port/ingest-store.ts';
import { type Store, StoreFailed } from '../../../backend/store/port/store.ts';
import { openSqliteStore } from '../../../backend/store/sqlite/store.ts';
import { type MqttClient, MqttRefused } from '../../../world/mqtt/mqtt-client.ts';
import { sleep } from '../../../world/time/time.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../world/virtual-world.ts';
import { BOX_ID, newVehicle } from '../store/store-rows.ts';
import { translateModem } from './ingest-input.ts';
import { ScriptedBox } from './scripted-box.ts';

/** Of the MQTT broker: the client ids of all sessions derive from its `clientId`. */
export const INGEST_ACCOUNT = { clientId: 'service', username: 'backend', password: 'secret' };

/** What may go wrong, or be otherwise, with one backend; read at each use. */
export interface IngestFaults {
  /** Commits fail. */
  readonly isFailing?: boolean;
  /** Commits take so much longer. */
  readonly slowMs?: number;
  /** The broker refuses this filter. */
  readonly refusedFilter?: string;
  /** It does not look whose the broker is. */
  readonly isUnclaimed?: boolean;
}

/** One backend, as far as ingest and partitions go. */
export interface IngestBackend {
  readonly ingest: Ingest;
  readonly keeper?: PartitionKeeper;
  readonly counters: Counters;
  stop(): Promise<void>;
  sever(): void;
}

/** Begins one backend for all boxes, or one of several, by its name. */
function beginIngest(
  { world, store }: { readonly world: VirtualWorld; readonly store: Store },
  name?: string,
  faults: IngestFaults = {},
): IngestBackend {
  const instance = world.instance(name ?? 'backend');
  const own = { ...instance, mqtt: refusingFilter(instance.mqtt, faults.refusedFilter) };
  const commit: IngestStore['commit'] = async (batch) => {
    if (faults.isFailing === true) throw new StoreFailed('The store is away.');
    if (faults.slowMs !== undefined) await sleep(instance.time, faults.slowMs);
    return store.ingest.commit(batch);
  };
  const counters = makeCounters();
  const keeper =
    name === undefined
      ? undefined
      : startPartitionKeeper({
          world: own,
          store: store.leases,
          backend: name,
          counters,
          isConnected: () => ingest.condition().isConnected,
          gained: (leases) => ingest.gained(leases),
          lost: (partitions) => ingest.lost(partitions),
          drain: (partitions) => ingest.drain(partitions),
        });
  const ingest: Ingest = startIngest({
    world: own,
    store: { ...store.ingest, commit },
    account: INGEST_ACCOUNT,
    translate: translateModem,
    counters,
    hasMessageBroker: true,
    installationId: faults.isUnclaimed === true ? undefined : 'INSTALL1',
    shared: keeper && name !== undefined ? { backend: name, keeper } : undefined,
    requestsSettled: () => undefined,
    messagesWritten: () => undefined,
  });
  return {
    ingest,
    counters,
    ...(keeper && { keeper }),
    async stop() {
      await keeper?.stop();
      await ingest.stop();
    },
    sever() {
      keeper?.sever();
      ingest.sever();
    },
  };
}

/** A broker, a store with one vehicle and its box, and the backends that are begun on them. */
export class IngestStage {
  readonly world: VirtualWorld;
  readonly store: Store;
  readonly box: ScriptedBox;
  readonly #running = new Set<IngestBackend>();

  private constructor(world: VirtualWorld) {
    this.world = world;
    this.store = openSqliteStore(':memory:', { nowMs: () => world.time.nowMs() });
    this.box = new ScriptedBox(world, BOX_ID);
  }

  /** The box has its connection. */
  static async open(): Promise<IngestStage> {
    const stage = new IngestStage(openVirtualWorld({ seed: 1 }));
    await stage.store.vehicles.save(newVehicle());
    await stage.world.run(() => stage.box.connect());
    return stage;
  }

  /** Begins one backend for all boxes, or one of several, by its name. */
  begin(name?: string, faults: IngestFaults = {}): IngestBackend {
    const started = beginIngest(this, name, faults);
    this.#running.add(started);
    return started;
  }

  /** Ends it all at once. */
  async close(): Promise<void> {
    for (const one of this.#running) one.sever();
    await this.store.close();
  }
}

/** A broker that refuses this filter. */
function refusingFilter(mqtt: MqttClient, refused: string | undefined): MqttClient {
  return {
    async open(options, events) {
      const session = await mqtt.open(options, events);
      const subscribe = (filter: string): Promise<void> =>
        filter === refused
          ? Promise.reject(new MqttRefused('This filter is not allowed.'))
          : session.subscribe(filter);
      return {
        present: session.present,
        subscribe,
        publish: (message) => session.publish(message),
        end: () => session.end(),
        drop: () => session.drop(),
      };
    },
  };
}

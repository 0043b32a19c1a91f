import { clientIdOf } from '../../../backend/ingest/partition-sessions.ts';
import { openSqliteStore, type SqliteStore } from '../../../backend/store/sqlite/store.ts';
import type { PartitionHistory } from '../../../judge/evidence/partition-history.ts';
import { partitionOf } from '../../../protocol/partitions.ts';
import { topics } from '../../../protocol/topics.ts';
import type { AmqpMessage } from '../../../world/amqp/amqp-publisher.ts';
import type { ProcessInstance } from '../../../world/virtual-world.ts';
import { type Counting, sumOf } from '../common/faults/active-fault.ts';
import { MessageHeads } from '../common/message-head.ts';
import { PartitionRecording } from '../common/recordings/partition-recording.ts';
import { type RowChange, watchRows } from '../common/recordings/row-changes.ts';
import type { BackendPeer, ServiceLifecycle, WakeUpFault } from '../common/service-runner.ts';
import { CLIENT_ID, QUEUES } from '../common/testbed-service-settings.ts';
import { VirtualBackend, type VirtualServiceParts } from './virtual-backend.ts';

/**
 * Runs the service: one backend, or several that share a store, each of which can crash and start again. Requests go
 * to those that are up, in turn, as with a load balancer.
 */
export class VirtualServiceRunner implements ServiceLifecycle {
  readonly #parts: VirtualServiceParts;
  readonly #backends: readonly VirtualBackend[];
  #store: SqliteStore;
  /** The rows that were written since it was called last. */
  #takeChanges: () => readonly RowChange[] = () => [];
  readonly #recording: PartitionRecording | undefined;
  readonly #heads = new MessageHeads();
  /** Requests so far. */
  #requests = 0;

  constructor(parts: VirtualServiceParts) {
    this.#parts = parts;
    const { backends = 1, world } = parts;
    this.#backends = Array.from({ length: backends }, (_, index) => new VirtualBackend(parts, index + 1));
    this.#store = this.#open(':memory:');
    if (backends > 1)
      this.#recording = new PartitionRecording(backends, world.time.nowMs(), (partition) =>
        world.mqttBroker.isSubscribed(clientIdOf(CLIENT_ID, partition), topics.upOf(partition)),
      );
  }

  #open(place: string | Uint8Array): SqliteStore {
    const { world, outcomes } = this.#parts;
    // The store has a clock of its own, without the faults of a backend.
    return openSqliteStore(place, {
      nowMs: () => world.time.nowMs(),
      ...(outcomes === undefined
        ? {}
        : {
            opened: (database) => {
              this.#takeChanges = watchRows(database);
            },
          }),
    });
  }

  /** The initial queues: one for each topic and fleet. */
  readonly queues = QUEUES;

  /** The store with the committed data, without faults. */
  get store(): SqliteStore {
    return this.#store;
  }

  partitions(): PartitionHistory | undefined {
    return this.#recording?.history(this.#parts.world.time.nowMs());
  }

  get instance(): ProcessInstance {
    return this.#backend(1).instance;
  }

  get backends(): number {
    return this.#backends.length;
  }

  /** Some backend is up. */
  get isUp(): boolean {
    return this.#backends.some(({ isUp }) => isUp);
  }

  counters(): Readonly<Record<string, number>> {
    const sum: Record<string, number> = {};
    for (const backend of this.#backends)
      for (const [name, count] of Object.entries(backend.counters())) sum[name] = (sum[name] ?? 0) + count;
    return sum;
  }

  async start(reason: string, which?: number): Promise<void> {
    const starting = this.#chosen(which).filter(({ isUp }) => !isUp);
    if (starting.length === 0) return;
    const started = Promise.all(starting.map((backend) => backend.start(this.#recorded(), this.#published)));
    this.#parts.onStateChange('up', this.#told(reason, which));
    // While a broker is down the service keeps trying to connect.
    await started;
  }

  /** Like kill -9: what a backend had in memory is lost, what it had committed stays. */
  crash(reason: string, which?: number): boolean {
    const hasCrashed = this.#chosen(which).map((backend) => backend.crash());
    if (!hasCrashed.includes(true)) return false;
    // A single backend leaves only the content of its file.
    if (this.#backends.length === 1) this.#store = this.#open(this.#store.serialize());
    this.#parts.onStateChange('down', this.#told(reason, which));
    return true;
  }

  /** How many messages wait for the exchange. */
  readonly waitingMessages = async (): Promise<number> => (await this.#store.outbox.size()).messages;

  /** Stops gracefully. */
  async stop(reason: string, which?: number): Promise<boolean> {
    const hasStopped = await Promise.all(this.#chosen(which).map((backend) => backend.stop()));
    if (!hasStopped.includes(true)) return false;
    this.#parts.onStateChange('down', this.#told(reason, which));
    return true;
  }

  /** Pauses one backend, which wakes without knowing that time has passed once this is removed. */
  pause(which: number): Counting {
    return this.#backend(which).pause();
  }

  /** Cuts one backend off from a peer until this is removed. */
  cutOff(which: number, peer: BackendPeer): Counting {
    return this.#backend(which).gate.cutOff(peer);
  }

  /** Notifications of others' commits to one backend, or to each, are lost or late. */
  hinderWakeUps(which: number | undefined, fault: WakeUpFault): Counting {
    const hindered = this.#chosen(which).map(({ gate }) => gate.hinderWakeUps(fault));
    const remove = (): void => {
      for (const one of hindered) one.remove();
    };
    return { count: sumOf(hindered.map(({ count }) => count)), remove };
  }

  /** Answers a request; undefined: the service is down, or went down before it answered. */
  async fetch(request: Request): Promise<Response | undefined> {
    // If all are stopping, a backend that says so is better than no answer.
    const nowMs = this.#parts.world.time.nowMs();
    const ready = this.#backends.filter((one) => one.takesRequests(nowMs));
    const up = ready.length > 0 ? ready : this.#backends.filter(({ isUp }) => isUp);
    const backend = up[this.#requests % Math.max(1, up.length)];
    this.#requests += 1;
    const answer = backend?.fetch(request);
    const { effects } = this.#parts;
    if (effects !== undefined)
      answer?.then(
        (given) => given && effects.answered(given),
        () => undefined,
      );
    return answer;
  }

  async close(): Promise<void> {
    for (const backend of this.#backends) backend.close();
    await this.#store.close();
  }

  /** The store, whose calls are recorded where several backends share it, and where a checker reads what they do. */
  #recorded(): SqliteStore {
    const store = this.#store;
    const recording = this.#recording;
    const { effects, outcomes } = this.#parts;
    if (recording === undefined && effects === undefined && outcomes === undefined) return store;
    return {
      ...store,
      carryOut: (calls, by) => {
        const results = store.carryOut(calls, by);
        recording?.record(calls, results, this.#parts.world.time.nowMs());
        effects?.carriedOut(calls, results);
        outcomes?.committed(this.#takeChanges());
        return results;
      },
    };
  }

  /** A message about an existing vehicle belongs to the partition of its box, or to its own if it has none. */
  readonly #published = (backend: string, { type, body }: AmqpMessage): void => {
    const { vehicleId } = this.#heads.read(type, body);
    const vehicle = vehicleId === '' ? undefined : this.#parts.findVehicle(vehicleId);
    if (vehicle === undefined) return;
    this.#recording?.published(
      backend,
      partitionOf(vehicle.boxId ?? vehicleId),
      this.#parts.world.time.nowMs(),
    );
  };

  #backend(number: number): VirtualBackend {
    const backend = this.#backends[number - 1];
    if (backend === undefined)
      throw new RangeError(`There is no backend ${number} of ${this.#backends.length}.`);
    return backend;
  }

  #chosen(which: number | undefined): readonly VirtualBackend[] {
    return which === undefined ? this.#backends : [this.#backend(which)];
  }

  #told(reason: string, which: number | undefined): string {
    return which === undefined || this.#backends.length === 1 ? reason : `${reason} (backend ${which})`;
  }
}

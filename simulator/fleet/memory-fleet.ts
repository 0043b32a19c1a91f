import { decodePayload, encodeFrame } from '../../protocol/codec/frame.ts';
import type { Frame, Receipt } from '../../protocol/message.ts';
import { parseTopic, topics } from '../../protocol/topics.ts';
import type { MqttSession } from '../../world/mqtt/mqtt-client.ts';
import type { BoxPlan } from '../box-plan.ts';
import { limits } from '../limits.ts';
import type { SimulatorWorld } from '../simulator-world.ts';
import { type Fleet, type FleetOptions, startFleet } from './fleet.ts';
import { ReceivedJournal } from './received-journal.ts';

/** The traffic from the boxes since the receiver began. */
export interface ReceiverCounts {
  /** Boxes that have sent anything. */
  readonly boxesSeen: number;
  /** Boxes that are ready now: their `ready` has come, and their connection has not ended since. */
  readonly boxesReady: number;
  readonly frames: number;
  /** Frames of the journal, each once. */
  readonly records: number;
  readonly receipts: number;
  /** Stretches of bytes that are no frame. */
  readonly faults: number;
}

type ReceiverWorld = Pick<SimulatorWorld, 'mqtt' | 'time' | 'log'>;

/**
 * Replaces the service, for a fleet without one: it takes every frame, keeps none, and gives receipts, so that boxes
 * get ready and their journals drain. It sends no command and no configuration.
 */
export class RecordReceiver {
  readonly #world: ReceiverWorld;
  readonly #journals = new Map<string, ReceivedJournal>();
  #session: MqttSession | undefined;
  #isStopped = false;
  #boxesReady = 0;
  #frames = 0;
  #records = 0;
  #receipts = 0;
  #faults = 0;

  private constructor(world: ReceiverWorld) {
    this.#world = world;
  }

  /** Begins to receive. Rejects with `MqttRefused` where the broker does. */
  static async start(world: ReceiverWorld): Promise<RecordReceiver> {
    const receiver = new RecordReceiver(world);
    const session = await world.mqtt.open(
      {
        clientId: ACCOUNT,
        username: ACCOUNT,
        password: ACCOUNT,
        clean: true,
        keepAliveS: limits.keepAliveS,
        connectTimeoutMs: limits.connectTimeoutMs,
      },
      {
        message: (topic, payload, retained, acknowledge) => {
          acknowledge();
          receiver.#take(topic, payload, retained);
        },
        closed: (reason) => {
          if (!receiver.#isStopped)
            world.log.error({ reason }, 'The receiver of the fleet has lost its broker.');
        },
      },
    );
    receiver.#session = session;
    await session.subscribe(topics.everyUp);
    await session.subscribe(topics.everyPresence);
    return receiver;
  }

  counts(): ReceiverCounts {
    return {
      boxesSeen: this.#journals.size,
      boxesReady: this.#boxesReady,
      frames: this.#frames,
      records: this.#records,
      receipts: this.#receipts,
      faults: this.#faults,
    };
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#session?.end();
  }

  #take(topic: string, payload: Uint8Array, retained: boolean): void {
    const place = parseTopic(topic);
    if (place === undefined || retained) return;
    const journal = this.#journalOf(place.boxId);
    const { frames, faults } = decodePayload(payload);
    this.#frames += frames.length;
    this.#faults += faults.length;
    let isOwed = false;
    for (const { frame } of frames) if (this.#takeFrame(journal, frame)) isOwed = true;
    if (isOwed) this.#send(place.boxId, journal);
  }

  /** Whether the box waits for a receipt of that frame. */
  #takeFrame(journal: ReceivedJournal, frame: Frame): boolean {
    const { message } = frame;
    switch (message.kind) {
      case 'hello':
        journal.greet(frame, message);
        this.#setReady(journal, false);
        return true;
      case 'ready':
        this.#setReady(journal, true);
        return true;
      case 'gone':
        if (message.connection === journal.connection) this.#setReady(journal, false);
        return false;
      case 'going-down':
        this.#setReady(journal, false);
        return false;
      case 'report':
      case 'heartbeat':
      case 'event':
      case 'reply':
      case 'access':
      case 'tombstone':
        if (journal.settle(frame, message)) this.#records += 1;
        return true;
      default:
        return false;
    }
  }

  #journalOf(boxId: string): ReceivedJournal {
    const known = this.#journals.get(boxId);
    if (known !== undefined) return known;
    const journal = new ReceivedJournal();
    this.#journals.set(boxId, journal);
    return journal;
  }

  #setReady(journal: ReceivedJournal, isReady: boolean): void {
    if (journal.isReady === isReady) return;
    journal.isReady = isReady;
    this.#boxesReady += isReady ? 1 : -1;
  }

  #send(boxId: string, journal: ReceivedJournal): void {
    const message: Receipt = journal.receipt();
    const { generation, epoch } = journal;
    const clockMs = this.#world.time.nowMs();
    const payload = encodeFrame({ generation, epoch, boot: 0, sequence: 0, clockMs, message });
    this.#receipts += 1;
    // A box that gets no receipt asks again.
    this.#session?.publish({ topic: topics.down(boxId), payload, retain: false }).catch(() => undefined);
  }
}

const ACCOUNT = 'receiver';

/** A fleet without a service. */
interface MemoryFleet {
  readonly fleet: Fleet;
  counts(): ReceiverCounts;
  /** Ends the boxes, then their receiver. */
  stop(): Promise<void>;
}

/**
 * Starts a fleet whose frames a receiver takes in place of a service. `world` brings the boxes together with the
 * receiver: that of `openMemoryWorld`, where the fleet is large. Rejects if the flash cannot be read or the broker
 * refuses the receiver. These boxes are never configured, so those whose plan has no settings begin with tracking on,
 * at its standard intervals.
 */
export async function startMemoryFleet(
  world: SimulatorWorld,
  plans: readonly BoxPlan[],
  options: FleetOptions = {},
): Promise<MemoryFleet> {
  const receiver = await RecordReceiver.start(world);
  const set = plans.map((plan) =>
    plan.factorySettings === undefined ? { ...plan, factorySettings: TRACKING } : plan,
  );
  const fleet = await startFleet(world, set, { rampPerSecond: limits.rampPerSecond, ...options });
  return {
    fleet,
    counts: () => receiver.counts(),
    stop: async () => {
      await fleet.stop();
      await receiver.stop();
    },
  };
}

/** One object, so that the boxes share their configuration. */
const TRACKING: NonNullable<BoxPlan['factorySettings']> = { 'tracking.enabled': 1 };

import { receiptFor } from '../../../certify/boxes/service-stand-in.ts';
import { decodePayload, encodeFrame } from '../../../protocol/codec/frame.ts';
import type { DownMessage, Frame, Message } from '../../../protocol/message.ts';
import { parseTopic, topics } from '../../../protocol/topics.ts';
import type { MqttSession } from '../../../world/mqtt/mqtt-client.ts';
import type { World } from '../../../world/world.ts';

/** What a box has reported, as a minimal backend stores it. */
export interface StoredReports {
  readonly records: Map<string, Frame>;
  readonly frames: Frame[];
  presence: Message | undefined;
  epoch: number;
  generation: 1 | 2;
}

/** A backend that keeps every record in memory and receipts it, for tests of boxes in a virtual world. */
export class FakeBackend {
  readonly told = new Map<string, StoredReports>();
  readonly #world: Pick<World, 'mqtt' | 'time'>;
  #session: MqttSession | undefined;
  /** While true nothing is receipted. */
  isSilent = false;

  constructor(world: Pick<World, 'mqtt' | 'time'>) {
    this.#world = world;
  }

  async start(): Promise<void> {
    this.#session = await this.#world.mqtt.open(
      {
        clientId: 'backend',
        username: 'backend',
        password: 'secret',
        clean: true,
        keepAliveS: 60,
        connectTimeoutMs: 5_000,
      },
      {
        message: (topic, payload, _retained, acknowledge) => {
          acknowledge();
          this.#take(topic, payload);
        },
        closed: () => undefined,
      },
    );
    await this.#session.subscribe(topics.everyUp);
    await this.#session.subscribe(topics.everyPresence);
  }

  of(boxId: string): StoredReports {
    let told = this.told.get(boxId);
    if (told === undefined) {
      told = { records: new Map(), frames: [], presence: undefined, epoch: 0, generation: 1 };
      this.told.set(boxId, told);
    }
    return told;
  }

  /** Records of the running epoch, by sequence. */
  recordsOf(boxId: string): readonly Frame[] {
    const told = this.of(boxId);
    return [...told.records.values()]
      .filter((frame) => frame.epoch === told.epoch)
      .sort((one, other) => one.sequence - other.sequence);
  }

  messagesOf(boxId: string): readonly Message[] {
    return this.recordsOf(boxId).map((frame) => frame.message);
  }

  send(boxId: string, message: DownMessage): void {
    const { epoch, generation } = this.of(boxId);
    const clockMs = this.#world.time.nowMs();
    const payload = encodeFrame({ generation, epoch, boot: 0, sequence: 0, clockMs, message });
    this.#session?.publish({ topic: topics.down(boxId), payload, retain: false }).catch(() => undefined);
  }

  #take(topic: string, payload: Uint8Array): void {
    const place = parseTopic(topic);
    if (place === undefined) return;
    const told = this.of(place.boxId);
    const { frames, faults } = decodePayload(payload);
    if (faults.length > 0) throw new Error(`A box wrote what cannot be read: ${JSON.stringify(faults)}`);
    let isWorthAReceipt = false;
    for (const { frame } of frames) {
      told.frames.push(frame);
      told.generation = frame.generation;
      if (frame.message.kind === 'birth' || frame.message.kind === 'gone') told.presence = frame.message;
      if (frame.message.kind === 'hello') told.epoch = frame.epoch;
      if (frame.sequence > 0) told.records.set(`${frame.epoch}/${frame.sequence}`, frame);
      if (frame.sequence > 0 || frame.message.kind === 'hello') isWorthAReceipt = true;
    }
    if (isWorthAReceipt && !this.isSilent) this.send(place.boxId, receiptOf(told));
  }
}

function receiptOf(told: StoredReports): DownMessage {
  const stored = new Set<number>();
  for (const frame of told.records.values()) {
    if (frame.epoch !== told.epoch) continue;
    stored.add(frame.sequence);
    const { message } = frame;
    if (message.kind !== 'tombstone') continue;
    for (let sequence = message.first; sequence <= message.last; sequence++) stored.add(sequence);
  }
  return receiptFor(stored);
}

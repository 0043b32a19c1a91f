import { decodePayload, encodeFrame } from '../../../protocol/codec/frame.ts';
import type { Frame, Message } from '../../../protocol/message.ts';
import { topics } from '../../../protocol/topics.ts';
import type { MqttSession } from '../../../world/mqtt/mqtt-client.ts';
import type { World } from '../../../world/world.ts';

/** A box controlled by the test: it sends what the test says, and keeps what it receives. */
export class ScriptedBox {
  readonly boxId: string;
  readonly epoch = 7;
  readonly down: Frame[] = [];
  readonly #world: Pick<World, 'mqtt' | 'time'>;
  #session: MqttSession | undefined;

  constructor(world: Pick<World, 'mqtt' | 'time'>, boxId: string) {
    this.#world = world;
    this.boxId = boxId;
  }

  async connect(): Promise<void> {
    this.#session = await this.#world.mqtt.open(
      {
        clientId: this.boxId,
        username: this.boxId,
        password: 'secret',
        clean: true,
        keepAliveS: 60,
        connectTimeoutMs: 5_000,
      },
      {
        message: (_topic, payload, _retained, acknowledge) => {
          acknowledge();
          this.down.push(...decodePayload(payload).frames.map(({ frame }) => frame));
        },
        closed: () => undefined,
      },
    );
    await this.#session.subscribe(topics.down(this.boxId));
  }

  /** Sends one payload with one frame; resolves with the broker's acknowledgement. */
  async send(message: Message, sequence = 0): Promise<void> {
    const clockMs = this.#world.time.nowMs();
    const frame: Frame = { generation: 2, epoch: this.epoch, boot: 1, sequence, clockMs, message };
    const isPresence = message.kind === 'birth' || message.kind === 'gone';
    await this.#session?.publish({
      topic: isPresence ? topics.presence(this.boxId) : topics.up(this.boxId),
      payload: encodeFrame(frame),
      retain: isPresence,
    });
  }

  report(sequence: number, csq = 20): Promise<void> {
    const signals = { modem: { csq, network: 26201 } };
    return this.send({ kind: 'report', cause: 'time', signals }, sequence);
  }

  /** The receipts received, as contiguous sequence and ranges. */
  get receipts(): readonly (readonly [contiguous: number, ranges: readonly (readonly [number, number])[]])[] {
    return this.down.flatMap(({ message }) =>
      message.kind === 'receipt' ? [[message.contiguous, message.ranges] as const] : [],
    );
  }
}

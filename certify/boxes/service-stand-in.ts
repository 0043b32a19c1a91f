import { CommandError } from '../../deployment/shared/command-error.ts';
import { BoxLog } from '../../judge/certify/boxes/box-log.ts';
import { encodeFrame } from '../../protocol/codec/frame.ts';
import type { DownMessage, Frame } from '../../protocol/message.ts';
import { topics } from '../../protocol/topics.ts';
import { errorText } from '../../world/error-text.ts';
import type { MqttClient, MqttSession } from '../../world/mqtt/mqtt-client.ts';
import type { Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';

/** What boxes publish, in any partition: one of another box is a fault to detect. */
const FILTERS = [topics.everyUp, topics.everyPresence];
const BOX_ID = /^boxes\/[^/]+\/([0-9a-f]{16})\/(up|presence)$/;

/** The received part of a box's journal. */
interface Journal {
  epoch: number;
  generation: 1 | 2;
  readonly stored: Set<number>;
  /** Records are accepted, without a receipt. */
  isWithheld: boolean;
}

/**
 * Replaces the service at the MQTT broker: answers hellos, acknowledges records, and sends the requests of trials. It
 * keeps the traffic for judging.
 */
export class ServiceStandIn {
  readonly logs = new Map<string, BoxLog>();
  readonly #time: Time;
  readonly #journals = new Map<string, Journal>();
  #session: MqttSession | undefined;
  #end = '';

  constructor(time: Time) {
    this.#time = time;
  }

  /** Why the connection is lost; empty: it is open. */
  get end(): string {
    return this.#end;
  }

  /** Connects. Rejects with a `CommandError` where the broker refuses. */
  async open(
    mqtt: MqttClient,
    account: { readonly username: string; readonly password: string; readonly clientId: string },
  ): Promise<void> {
    const { connectTimeoutMs, keepAliveS } = {
      connectTimeoutMs: limits.mqttConnectMs,
      keepAliveS: limits.mqttKeepAliveS,
    };
    try {
      this.#session = await mqtt.open(
        { ...account, clean: true, keepAliveS, connectTimeoutMs },
        {
          message: (topic, payload, retained, acknowledge) => {
            acknowledge();
            this.#take(topic, payload, retained);
          },
          closed: (reason) => {
            this.#end = reason;
          },
        },
      );
      for (const filter of FILTERS) await this.#session.subscribe(filter);
    } catch (error) {
      const why = errorText(error);
      throw new CommandError(
        `The MQTT broker (--mqtt) refused ${account.username}: ${why}. It takes an account that may subscribe to ${FILTERS.join(' and ')}, and publish below boxes/.`,
      );
    }
  }

  async close(): Promise<void> {
    await this.#session?.end();
  }

  /** Sends a message to a box. Resolves when the broker has it. */
  async send(boxId: string, message: DownMessage): Promise<void> {
    const { epoch, generation } = this.#journal(boxId);
    const frame: Frame = {
      generation,
      epoch,
      boot: 0,
      sequence: 0,
      clockMs: this.#time.nowMs(),
      message,
    };
    this.#log(boxId).sent(this.#time.nowMs(), frame);
    await this.#session?.publish({ topic: topics.down(boxId), payload: encodeFrame(frame), retain: false });
  }

  /**
   * From now on receipts for records of the box are withheld, or sent again: immediately for those that arrived
   * meanwhile.
   */
  async withhold(boxId: string, isWithheld: boolean): Promise<void> {
    this.#journal(boxId).isWithheld = isWithheld;
    if (!isWithheld) await this.send(boxId, this.#receipt(boxId));
  }

  #log(boxId: string): BoxLog {
    const known = this.logs.get(boxId);
    if (known !== undefined) return known;
    const log = new BoxLog(boxId);
    if (this.logs.size < limits.boxes) this.logs.set(boxId, log);
    return log;
  }

  #journal(boxId: string): Journal {
    let journal = this.#journals.get(boxId);
    if (journal === undefined) {
      journal = { epoch: 0, generation: 1, stored: new Set(), isWithheld: false };
      if (this.#journals.size < limits.boxes) this.#journals.set(boxId, journal);
    }
    return journal;
  }

  #take(topic: string, payload: Uint8Array, isRetained: boolean): void {
    const [, boxId] = BOX_ID.exec(topic) ?? [];
    if (boxId === undefined) return;
    const frames = this.#log(boxId).take(this.#time.nowMs(), topic, payload, isRetained);
    if (isRetained) return;
    const journal = this.#journal(boxId);
    let isAsked = false;
    for (const { epoch, generation, sequence, message } of frames) {
      if (message.kind === 'birth' || message.kind === 'gone') continue;
      if (epoch !== journal.epoch) journal.stored.clear();
      Object.assign(journal, { epoch, generation });
      if (message.kind === 'hello') {
        isAsked = true;
        // Nothing below it is sent any more: another service has it.
        for (let past = 1; past < message.lowestHeld; past += 1) journal.stored.add(past);
      }
      if (message.kind === 'ready') isAsked = true;
      if (sequence === 0 || journal.isWithheld) continue;
      isAsked = true;
      journal.stored.add(sequence);
      if (message.kind !== 'tombstone') continue;
      for (let lost = message.first; lost <= message.last; lost += 1) journal.stored.add(lost);
    }
    if (isAsked) this.send(boxId, this.#receipt(boxId)).catch(() => undefined);
  }

  #receipt(boxId: string): DownMessage {
    return receiptFor(this.#journal(boxId).stored);
  }
}

/** The receipt for these sequences of one journal, with as many ranges as a frame holds. */
export function receiptFor(stored: ReadonlySet<number>): DownMessage {
  let contiguous = 0;
  while (stored.has(contiguous + 1)) contiguous += 1;
  const ranges: [number, number][] = [];
  for (const sequence of [...stored].sort((one, other) => one - other)) {
    if (sequence <= contiguous) continue;
    const range = ranges.at(-1);
    if (range !== undefined && range[1] === sequence - 1) range[1] = sequence;
    else ranges.push([sequence, sequence]);
  }
  return { kind: 'receipt', contiguous, ranges: ranges.slice(0, 32) };
}

import { type AmqpFrame, FRAME } from '../../brokers/amqp/codec/frames.ts';
import { type AmqpMethod, decodeMethod } from '../../brokers/amqp/codec/method-codec.ts';
import { decodeContentHeader } from '../../brokers/amqp/codec/properties.ts';
import { limits } from '../../judge/client/limits.ts';
import type { Settlement } from '../../judge/client/observed.ts';
import type { EventLog } from './event-log.ts';

/** A message with missing frames. */
interface PartialMessage {
  readonly tag: number;
  readonly isWithoutAcks: boolean;
  messageId: string;
  left: number;
  readonly pieces: Uint8Array[];
}

/** Reads the traffic of one channel of a client, and records consumers, deliveries and their outcomes. */
export class AmqpChannelReader {
  readonly #log: EventLog;
  readonly #connection: number;
  readonly #nextDelivery: () => number;
  #prefetch = 0;
  /** Requested, and not answered yet. */
  readonly #asked: { readonly queue: string; readonly isWithoutAcks: boolean }[] = [];
  readonly #gets: boolean[] = [];
  readonly #consumersWithoutAcks = new Map<string, boolean>();
  readonly #unsettled = new Map<number, number>();
  #partial: PartialMessage | undefined;

  constructor(log: EventLog, connection: number, nextDelivery: () => number) {
    this.#log = log;
    this.#connection = connection;
    this.#nextDelivery = nextDelivery;
  }

  /** A method of the client. */
  asked({ name, args }: AmqpMethod): void {
    switch (name) {
      case 'basic.qos':
        this.#prefetch = args.prefetchCount;
        break;
      case 'basic.consume':
        if (args.noWait) this.#subscribed(args.consumerTag, { queue: args.queue, isWithoutAcks: args.noAck });
        else this.#asked.push({ queue: args.queue, isWithoutAcks: args.noAck });
        break;
      case 'basic.get':
        this.#gets.push(args.noAck);
        break;
      case 'basic.ack':
        this.#settle(args.deliveryTag, args.multiple, 'acknowledged');
        break;
      case 'basic.nack':
        this.#settle(args.deliveryTag, args.multiple, args.requeue ? 'requeued' : 'rejected');
        break;
      case 'basic.reject':
        this.#settle(args.deliveryTag, false, args.requeue ? 'requeued' : 'rejected');
        break;
      default:
    }
  }

  /** A frame of the broker. */
  answered(frame: AmqpFrame): void {
    if (frame.type === FRAME.method) {
      const decoded = decodeMethod(frame.payload);
      if (decoded.kind === 'method') this.#answeredBy(decoded.method);
      return;
    }
    const partial = this.#partial;
    if (partial === undefined) return;
    if (frame.type === FRAME.header) {
      const header = decodeContentHeader(frame.payload);
      if ('malformed' in header) return;
      partial.messageId = header.properties.messageId ?? '';
      partial.left = header.bodyBytes;
    } else if (frame.type === FRAME.body) {
      partial.pieces.push(frame.payload);
      partial.left -= frame.payload.length;
    }
    if (partial.left <= 0) this.#delivered(partial);
  }

  #answeredBy({ name, args }: AmqpMethod): void {
    switch (name) {
      case 'basic.consume-ok': {
        const asked = this.#asked.shift();
        if (asked !== undefined) this.#subscribed(args.consumerTag, asked);
        break;
      }
      case 'basic.deliver':
        this.#begin(args.deliveryTag, this.#consumersWithoutAcks.get(args.consumerTag) ?? false);
        break;
      case 'basic.get-ok':
        this.#begin(args.deliveryTag, this.#gets.shift() ?? false);
        break;
      case 'basic.get-empty':
        this.#gets.shift();
        break;
      default:
    }
  }

  #subscribed(tag: string, asked: { readonly queue: string; readonly isWithoutAcks: boolean }): void {
    this.#consumersWithoutAcks.set(tag, asked.isWithoutAcks);
    this.#log.add({
      kind: 'subscribed',
      connection: this.#connection,
      prefetch: this.#prefetch,
      ...asked,
    });
  }

  #begin(tag: bigint, isWithoutAcks: boolean): void {
    this.#partial = { tag: Number(tag), isWithoutAcks, messageId: '', left: 0, pieces: [] };
  }

  #delivered({ tag, isWithoutAcks, messageId, pieces }: PartialMessage): void {
    this.#partial = undefined;
    const delivery = this.#nextDelivery();
    if (!isWithoutAcks) this.#unsettled.set(tag, delivery);
    this.#log.add({
      kind: 'delivered',
      connection: this.#connection,
      delivery,
      messageId,
      isWithoutAcks,
      ...stateOf(Buffer.concat(pieces)),
    });
  }

  #settle(tag: bigint, isMultiple: boolean, how: Settlement): void {
    const number = Number(tag);
    const tags = isMultiple
      ? [...this.#unsettled.keys()].filter((one) => number === 0 || one <= number)
      : [number];
    for (const each of tags) {
      const delivery = this.#unsettled.get(each);
      if (delivery === undefined) continue;
      this.#unsettled.delete(each);
      this.#log.add({ kind: 'settled', delivery, how });
    }
  }
}

/** The vehicle of a message, and when it recorded each property of its state. */
function stateOf(body: Buffer): {
  readonly vehicleId?: string;
  readonly recorded: Readonly<Record<string, number>>;
} {
  if (body.length > limits.bodyBytes) return { recorded: {} };
  try {
    const data = objectIn(JSON.parse(body.toString('utf8')), 'data');
    const vehicleId = data['vehicle_id'];
    const times = Object.entries(objectIn(data, 'vehicle_state')).map(([property, one]): [string, number] => [
      property,
      Date.parse(String(objectIn({ one }, 'one')['timestamp'])),
    ]);
    return {
      ...(typeof vehicleId === 'string' ? { vehicleId } : {}),
      recorded: Object.fromEntries(times.filter(([, atMs]) => !Number.isNaN(atMs))),
    };
  } catch {
    return { recorded: {} };
  }
}

/** Empty if it is not an object. */
function objectIn(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return {};
  const found: unknown = Reflect.get(value, name);
  return typeof found === 'object' && found !== null ? { ...found } : {};
}

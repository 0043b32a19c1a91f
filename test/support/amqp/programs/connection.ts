import type { MethodArguments } from '../../../../brokers/amqp/codec/method-codec.ts';
import type { MethodName } from '../../../../brokers/amqp/codec/methods.ts';
import {
  type AmqpAccount,
  openRawAmqpClient,
  type RawAmqpClient,
  type ReceivedMethod,
} from '../raw-amqp-client.ts';
import { wordingOf, wordingOfClose } from './wording.ts';

/** A channel of a program, and what its client knows. */
export interface ProgramChannel {
  readonly number: number;
  isOpen: boolean;
  /** Deliveries that are not acknowledged, by their tags: the queues that they come from. */
  readonly held: Map<number, string>;
  /** Its consumers, by their tags. */
  readonly consumers: Map<string, { readonly queue: string; readonly noAck: boolean }>;
  /** The last basic.get. */
  read: { readonly queue: string; readonly noAck: boolean };
  highestTag: number;
  /** The tag of the next publication; 0 before confirm.select. */
  nextPublishTag: number;
  /** Publications without a confirm. */
  readonly unconfirmed: Set<number>;
  /** What arrived in the current step, in the words of the observation. */
  readonly replies: string[];
  readonly deliveries: string[];
  readonly notices: string[];
  readonly outcomes: Map<number, 'confirmed' | 'refused'>;
  /** The queues whose consumers received something in the current step. */
  readonly servedBy: Set<string>;
}

/** The length of a queue, its consumers, or why they cannot be seen. */
export type QueueView = string;

const DEADLINE_MS = 15_000;
/** Channels on which lengths of queues are asked for: one for each queue. */
const FIRST_OBSERVER = 10;

function newChannel(number: number): ProgramChannel {
  return {
    number,
    isOpen: false,
    held: new Map(),
    consumers: new Map(),
    read: { queue: '', noAck: true },
    highestTag: 0,
    nextPublishTag: 0,
    unconfirmed: new Set(),
    replies: [],
    deliveries: [],
    notices: [],
    outcomes: new Map(),
    servedBy: new Set(),
  };
}

/** One connection of a program: its channels, and channels that look at queues. */
export class ProgramConnection {
  readonly channels = new Map<number, ProgramChannel>();
  /** Of all channels, since the connection was opened. */
  arrived = 0;
  /** What the broker said on channel 0. */
  readonly notices: string[] = [];
  readonly #wire: RawAmqpClient;
  readonly #prefix: string;
  /** Synchronizations that are not answered. */
  readonly #awaited = new Map<number, number>();
  readonly #observers = new Set<number>();
  readonly #views = new Map<number, QueueView>();

  constructor(wire: RawAmqpClient, prefix: string) {
    this.#wire = wire;
    this.#prefix = prefix;
  }

  static async open(account: AmqpAccount, prefix: string): Promise<ProgramConnection> {
    const connection = new ProgramConnection(await openRawAmqpClient(account), prefix);
    const first = newChannel(1);
    first.isOpen = true;
    connection.channels.set(1, first);
    return connection;
  }

  get isOpen(): boolean {
    return !this.#wire.isClosed;
  }

  /** The channel, opened if it is not. */
  async channel(number: number): Promise<ProgramChannel> {
    const current = this.channels.get(number);
    if (current?.isOpen === true) return current;
    const channel = newChannel(number);
    this.channels.set(number, channel);
    channel.isOpen = true;
    this.#wire.send(number, 'channel.open');
    await this.#until(() => channel.replies.length > 0, `channel ${number} is open`);
    channel.replies.length = 0;
    return channel;
  }

  send<Name extends MethodName>(channel: number, name: Name, args: Partial<MethodArguments<Name>>): void {
    this.#wire.send(channel, name, args);
  }

  publish(channel: number, ...publication: Parameters<RawAmqpClient['publish']>): void {
    const [args, body, properties] = publication;
    this.#wire.publish(args, body, properties, channel);
  }

  async closeChannel(channel: ProgramChannel): Promise<void> {
    this.#wire.send(channel.number, 'channel.close', { replyCode: 200 });
    await this.#until(() => !channel.isOpen, 'the channel is closed');
  }

  /** Waits until every open channel has done what it was told, and has its confirms. */
  async synchronize(): Promise<void> {
    for (const { number, isOpen } of this.channels.values()) {
      if (!isOpen) continue;
      this.#awaited.set(number, (this.#awaited.get(number) ?? 0) + 1);
      this.#wire.send(number, 'access.request');
    }
    await this.#until(() => this.#awaited.size === 0, 'every channel answers');
    await this.#until(
      () => [...this.channels.values()].every(({ isOpen, unconfirmed }) => !isOpen || unconfirmed.size === 0),
      'every publication is confirmed',
    );
  }

  /** Passive declarations of queues with these numbers and names. */
  async look(queues: ReadonlyMap<number, string>): Promise<ReadonlyMap<number, QueueView>> {
    this.#views.clear();
    for (const [queue, name] of queues) {
      const number = FIRST_OBSERVER + queue;
      if (!this.#observers.has(number)) this.#wire.send(number, 'channel.open');
      this.#observers.add(number);
      this.#wire.send(number, 'queue.declare', { queue: name, passive: true });
    }
    await this.#until(
      () => [...queues.keys()].every((each) => this.#views.has(each)),
      'the lengths of queues',
    );
    return new Map(this.#views);
  }

  async close(): Promise<void> {
    this.#wire.send(0, 'connection.close', { replyCode: 200 });
    await this.#until(() => false, 'the connection ends');
  }

  cut(): void {
    this.#wire.cut();
    this.#wire.isClosed = true;
  }

  async #until(condition: () => boolean, what: string): Promise<void> {
    const endMs = Date.now() + DEADLINE_MS;
    for (;;) {
      for (const word of this.#wire.takeWhole()) this.#receive(word);
      if (condition()) return;
      if (this.#wire.isClosed) {
        for (const channel of this.channels.values()) channel.isOpen = false;
        this.#awaited.clear();
        return;
      }
      if (Date.now() > endMs) throw new Error(`Not within ${DEADLINE_MS} ms: ${what}`);
      await this.#wire.more(DEADLINE_MS);
    }
  }

  #receive(word: ReceivedMethod): void {
    if (word.channel >= FIRST_OBSERVER) {
      this.#observe(word);
      return;
    }
    const channel = this.channels.get(word.channel);
    if (channel === undefined) {
      if (word.name === 'connection.close') this.notices.push(this.#own(wordingOfClose(word)));
      // RabbitMQ waits for the client to hang up.
      if (word.name === 'connection.close' || word.name === 'connection.close-ok') this.cut();
      return;
    }
    if (word.name === 'access.request-ok') {
      const left = (this.#awaited.get(word.channel) ?? 1) - 1;
      if (left > 0) this.#awaited.set(word.channel, left);
      else this.#awaited.delete(word.channel);
      return;
    }
    this.arrived++;
    if (word.name === 'channel.close' || word.name === 'channel.close-ok') {
      channel.isOpen = false;
      channel.held.clear();
      this.#awaited.delete(word.channel);
      if (word.name === 'channel.close') this.#wire.send(word.channel, 'channel.close-ok');
    }
    record(channel, word, this.#own(wordingOf(word)));
  }

  #observe({ channel: number, name, args }: ReceivedMethod): void {
    const queue = number - FIRST_OBSERVER;
    if (name === 'queue.declare-ok')
      this.#views.set(queue, `${args['messageCount']} ready, ${args['consumerCount']} consumers`);
    if (name !== 'channel.close') return;
    this.#observers.delete(number);
    this.#wire.send(number, 'channel.close-ok');
    this.#views.set(queue, `${args['replyCode']}`);
  }

  #own(text: string): string {
    return text.replaceAll(this.#prefix, '~');
  }
}

/** Sorts a method into what the client of a channel knows. */
function record(channel: ProgramChannel, { name, args }: ReceivedMethod, wording: string): void {
  const tag = Number(args['deliveryTag'] ?? 0);
  if (name === 'basic.deliver') {
    const { queue, noAck } = channel.consumers.get(`${args['consumerTag']}`) ?? { queue: '?', noAck: true };
    channel.servedBy.add(queue);
    channel.highestTag = tag;
    if (!noAck) channel.held.set(tag, queue);
    channel.deliveries.push(wording);
  } else if (name === 'basic.ack' || name === 'basic.nack') {
    const outcome = name === 'basic.ack' ? 'confirmed' : 'refused';
    for (const each of [...channel.unconfirmed]) {
      if (each !== tag && !(args['multiple'] === true && each < tag)) continue;
      channel.unconfirmed.delete(each);
      channel.outcomes.set(each, outcome);
    }
  } else if (name === 'basic.cancel') {
    channel.consumers.delete(`${args['consumerTag']}`);
    channel.notices.push(wording);
  } else {
    if (name === 'basic.get-ok') {
      channel.highestTag = tag;
      if (!channel.read.noAck) channel.held.set(tag, channel.read.queue);
    }
    channel.replies.push(wording);
  }
}

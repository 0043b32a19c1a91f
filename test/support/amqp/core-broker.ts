import { encodeAmqpFrame, encodeBody, FRAME, FrameParser } from '../../../brokers/amqp/codec/frames.ts';
import {
  type AmqpMethod,
  decodeMethod,
  encodeMethod,
  type MethodArguments,
} from '../../../brokers/amqp/codec/method-codec.ts';
import type { MethodName } from '../../../brokers/amqp/codec/methods.ts';
import {
  type AmqpProperties,
  encodeContentHeader,
  encodeProperties,
} from '../../../brokers/amqp/codec/properties.ts';
import { newBroker, stepBroker, takeJournal } from '../../../brokers/amqp/core.ts';
import type {
  BrokerEffect,
  BrokerServices,
  BrokerState,
  JournalRecord,
} from '../../../brokers/amqp/state.ts';

export const PROTOCOL_HEADER = Uint8Array.of(0x41, 0x4d, 0x51, 0x50, 0, 0, 9, 1);

/** The core without sockets, file and clock. Commits happen when the test requests them. */
export class CoreBroker {
  nowMs = 1_000_000;
  readonly state: BrokerState;
  readonly effects: BrokerEffect[] = [];
  /** Everything that was committed. */
  readonly entrances: JournalRecord[] = [];
  readonly #peers = new Map<number, CorePeer>();

  constructor(services: Partial<BrokerServices> = {}) {
    let minted = 0;
    this.state = newBroker(
      {
        permits: () => true,
        makeName: () => `m${minted++}`,
        version: '1.2.3',
        platform: 'a test',
        ...services,
      },
      this.nowMs,
    );
  }

  step(input: Parameters<typeof stepBroker>[1]): void {
    for (const effect of stepBroker(this.state, input, this.nowMs)) {
      this.effects.push(effect);
      if (effect.kind === 'write') this.#peers.get(effect.connection)?.take(effect.bytes);
      else if (effect.kind === 'end') this.#peers.get(effect.connection)?.end();
    }
  }

  commit(): void {
    const { records: entrances, journalCount: entered } = takeJournal(this.state);
    this.entrances.push(...entrances);
    this.step({ kind: 'committed', journalCount: entered });
  }

  pass(ms: number): void {
    this.nowMs += ms;
    this.step({ kind: 'tick' });
  }

  /** A connection that has sent nothing yet. */
  peer(address = '127.0.0.1'): CorePeer {
    const peer = new CorePeer(this, this.#peers.size + 1);
    this.#peers.set(peer.id, peer);
    this.step({ kind: 'opened', connection: peer.id, address });
    return peer;
  }

  /** A connection with channel 1 open, and nothing of the handshake left in `said`. */
  client(heartbeatS = 0, address = '127.0.0.1'): CorePeer {
    const peer = this.peer(address);
    peer.shakeHands(heartbeatS);
    peer.send(1, 'channel.open', { reserved1: '' });
    peer.said.length = 0;
    return peer;
  }
}

export interface ReceivedMethod {
  readonly channel: number;
  readonly name: MethodName;
  readonly args: Record<string, unknown>;
  readonly body: string;
}

/** A client that sends what a test requests and reads the answers. */
export class CorePeer {
  readonly id: number;
  readonly said: ReceivedMethod[] = [];
  isEnded = false;
  heartbeats = 0;
  raw: Uint8Array = new Uint8Array();
  readonly #bench: CoreBroker;
  readonly #parser = new FrameParser();

  constructor(bench: CoreBroker, id: number) {
    this.#bench = bench;
    this.id = id;
  }

  bytes(bytes: Uint8Array): void {
    this.#bench.step({ kind: 'bytes', connection: this.id, bytes });
  }

  send<Name extends MethodName>(channel: number, name: Name, args: MethodArguments<Name>): void {
    this.bytes(encodeAmqpFrame(FRAME.method, channel, encodeMethod(name, args)));
  }

  shakeHands(heartbeatS: number): void {
    this.bytes(PROTOCOL_HEADER);
    this.startOk('\0user\0password');
    this.#bench.step({ kind: 'signed-in', connection: this.id, isAdmitted: true });
    this.send(0, 'connection.tune-ok', { channelMax: 255, frameMax: 131_072, heartbeatS });
    this.send(0, 'connection.open', { virtualHost: '/', reserved1: '', reserved2: false });
  }

  startOk(response: string): void {
    const capabilities = new Map(
      ['authentication_failure_close', 'connection.blocked', 'consumer_cancel_notify'].map(
        (name) => [name, { type: 't', value: true }] as const,
      ),
    );
    this.send(0, 'connection.start-ok', {
      clientProperties: new Map([['capabilities', { type: 'F', value: capabilities }]]),
      mechanism: 'PLAIN',
      response: Buffer.from(response),
      locale: 'en_US',
    });
  }

  declare(queue: string, more: Partial<MethodArguments<'queue.declare'>> = {}): void {
    this.send(1, 'queue.declare', {
      reserved1: 0,
      queue,
      passive: false,
      durable: false,
      exclusive: false,
      autoDelete: false,
      noWait: false,
      arguments: new Map(),
      ...more,
    });
  }

  publish(
    routingKey: string,
    body: string,
    properties: AmqpProperties = {},
    exchange = '',
    mandatory = false,
  ): void {
    const bytes = Buffer.from(body);
    const publish = { reserved1: 0, exchange, routingKey, mandatory, immediate: false };
    this.bytes(
      Buffer.concat([
        encodeAmqpFrame(FRAME.method, 1, encodeMethod('basic.publish', publish)),
        encodeAmqpFrame(FRAME.header, 1, encodeContentHeader(encodeProperties(properties), bytes.length)),
        ...encodeBody(1, bytes, 4_096),
      ]),
    );
  }

  consume(queue: string, more: Partial<MethodArguments<'basic.consume'>> = {}): void {
    this.send(1, 'basic.consume', {
      reserved1: 0,
      queue,
      consumerTag: 'c',
      noLocal: false,
      noAck: false,
      exclusive: false,
      noWait: false,
      arguments: new Map(),
      ...more,
    });
  }

  /** Takes the oldest message: its body, or undefined where the queue is empty. */
  get(queue: string, noAck = true): ReceivedMethod | undefined {
    this.said.length = 0;
    this.send(1, 'basic.get', { reserved1: 0, queue, noAck });
    return this.said.find((each) => each.name === 'basic.get-ok');
  }

  bodies(): readonly string[] {
    return this.said.filter((each) => each.name === 'basic.deliver').map((each) => each.body);
  }

  names(): readonly MethodName[] {
    return this.said.map((each) => each.name);
  }

  /** The code and text of the last close. */
  closed(): readonly unknown[] {
    const close = this.said.findLast((each) => each.name.endsWith('.close'));
    return close === undefined ? [] : [close.name, close.args['replyCode'], close.args['replyText']];
  }

  take(bytes: Uint8Array): void {
    this.raw = bytes;
    if (bytes[0] === 0x41) return;
    this.#parser.push(bytes);
    for (let next = this.#parser.next(131_072); next.kind === 'frame'; next = this.#parser.next(131_072)) {
      const { type, channel, payload } = next.frame;
      if (type === FRAME.heartbeat) this.heartbeats++;
      const last = this.said.at(-1);
      if (type === FRAME.body && last !== undefined)
        this.said[this.said.length - 1] = { ...last, body: last.body + Buffer.from(payload).toString() };
      const decoded = type === FRAME.method ? decodeMethod(payload) : undefined;
      if (decoded?.kind === 'method') this.said.push(sayingOf(channel, decoded.method));
    }
  }

  end(): void {
    this.isEnded = true;
  }
}

function sayingOf(channel: number, { name, args }: AmqpMethod): ReceivedMethod {
  return { channel, name, args: { ...args }, body: '' };
}

import { connect, type Socket } from 'node:net';
import type { AmqpTable } from '../../../brokers/amqp/codec/fields.ts';
import { encodeAmqpFrame, encodeBody, FRAME, FrameParser } from '../../../brokers/amqp/codec/frames.ts';
import {
  decodeMethod,
  encodeMethod,
  type MethodArguments,
} from '../../../brokers/amqp/codec/method-codec.ts';
import { METHODS, type MethodName } from '../../../brokers/amqp/codec/methods.ts';
import {
  type AmqpProperties,
  type ContentHeader,
  decodeContentHeader,
  encodeContentHeader,
  encodeProperties,
} from '../../../brokers/amqp/codec/properties.ts';

/** Where a broker listens, and one of its users. */
export interface AmqpAccount {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
}

/** A method sent by a broker, with its content. */
export interface ReceivedMethod {
  readonly channel: number;
  /** As in METHODS; `90.11` for one that the embedded broker never sends. */
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  header?: ContentHeader;
  body: Buffer;
}

export interface Greeting {
  readonly header?: Uint8Array;
  readonly mechanism?: string;
  /** In place of the PLAIN response of the account. */
  readonly response?: string;
  readonly channelMax?: number;
  readonly frameMax?: number;
  readonly heartbeatS?: number;
  readonly virtualHost?: string;
  readonly capabilities?: readonly string[];
}

const HEADER = Buffer.from('AMQP\0\0\u0009\u0001');
const CAPABILITIES = ['authentication_failure_close', 'connection.blocked', 'consumer_cancel_notify'];
/** Methods of a broker that are followed by a message. */
const CARRIERS = ['basic.deliver', 'basic.return', 'basic.get-ok'];
const DEADLINE_MS = 10_000;

/** A raw client: it sends what a test requests, valid or not, and shows every method of the answer. */
export class RawAmqpClient {
  readonly words: ReceivedMethod[] = [];
  /** The first bytes where they are no frame: the header that a broker wants. */
  refusedWith: Buffer | undefined;
  isClosed = false;
  heartbeats = 0;
  frameMax = 4_096;
  /** The sizes of the body frames that came. */
  readonly bodyFrames: number[] = [];
  readonly #socket: Socket;
  readonly #parser = new FrameParser();
  #isFirst = true;
  #taken = 0;
  #wake: () => void = () => undefined;

  constructor({ host, port }: AmqpAccount) {
    this.#socket = connect({ host, port, noDelay: true });
    this.#socket.on('error', () => undefined);
    this.#socket.on('data', (bytes: Buffer) => this.#read(bytes));
    this.#socket.on('close', () => {
      this.isClosed = true;
      this.#wake();
    });
  }

  bytes(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** A method; arguments that are not given are empty. */
  send<Name extends MethodName>(
    channel: number,
    name: Name,
    args: Partial<MethodArguments<Name>> = {},
  ): void {
    this.bytes(encodeAmqpFrame(FRAME.method, channel, encodeMethod(name, whole(name, args))));
  }

  /** A message, on channel 1 unless another is named. */
  publish(
    args: Partial<MethodArguments<'basic.publish'>>,
    body: Uint8Array | string = 'x',
    properties: AmqpProperties | Uint8Array = {},
    channel = 1,
  ): void {
    const bytes = Buffer.from(body);
    const encoded = properties instanceof Uint8Array ? properties : encodeProperties(properties);
    this.send(channel, 'basic.publish', args);
    this.bytes(encodeAmqpFrame(FRAME.header, channel, encodeContentHeader(encoded, bytes.length)));
    for (const frame of encodeBody(channel, bytes, this.frameMax)) this.bytes(frame);
  }

  /** Sends a method on channel 1 and returns the next one received. */
  ask<Name extends MethodName>(
    name: Name,
    args: Partial<MethodArguments<Name>> = {},
  ): Promise<ReceivedMethod | undefined> {
    this.send(1, name, args);
    return this.next();
  }

  /** The next complete method, or nothing once the broker has closed the connection. */
  async next(): Promise<ReceivedMethod | undefined> {
    const endMs = Date.now() + DEADLINE_MS;
    while (!this.#isWhole(this.words[this.#taken])) {
      if (this.isClosed) return undefined;
      if (Date.now() > endMs)
        throw new Error(`No further word; so far ${this.words.map((each) => each.name)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, DEADLINE_MS);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.words[this.#taken++];
  }

  /** All methods that are complete and were not returned before. */
  takeWhole(): readonly ReceivedMethod[] {
    const from = this.#taken;
    while (this.#isWhole(this.words[this.#taken])) this.#taken++;
    return this.words.slice(from, this.#taken);
  }

  /** Waits until something arrives, or the connection ends, or this time is over. */
  async more(waitMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Waits until the broker hung up. */
  async closed(): Promise<void> {
    while ((await this.next()) !== undefined);
  }

  #isWhole(word: ReceivedMethod | undefined): boolean {
    if (word === undefined) return false;
    if (!CARRIERS.includes(word.name)) return true;
    return word.header !== undefined && word.body.length === word.header.bodyBytes;
  }

  #read(bytes: Buffer): void {
    if (this.#isFirst && bytes[0] === HEADER[0]) {
      this.refusedWith = bytes;
      return;
    }
    this.#isFirst = false;
    this.#parser.push(bytes);
    for (let next = this.#parser.next(200_000); next.kind === 'frame'; next = this.#parser.next(200_000)) {
      const { type, channel, payload } = next.frame;
      if (type === FRAME.heartbeat) this.heartbeats++;
      else if (type === FRAME.method) this.#method(channel, payload);
      else this.#content(channel, type, payload);
    }
    this.#wake();
  }

  #method(channel: number, payload: Uint8Array): void {
    const decoded = decodeMethod(payload);
    const { name, args } =
      decoded.kind === 'method'
        ? decoded.method
        : { name: `${decoded.classId}.${decoded.methodId}`, args: {} };
    this.words.push({ channel, name, args: { ...args }, body: Buffer.alloc(0) });
  }

  #content(channel: number, type: number, payload: Uint8Array): void {
    const word = this.words.findLast((each) => each.channel === channel);
    if (word === undefined) throw new Error('The broker sent content without a method');
    if (type === FRAME.body) {
      word.body = Buffer.concat([word.body, payload]);
      this.bodyFrames.push(payload.length + 8);
      return;
    }
    const header = decodeContentHeader(payload);
    if ('malformed' in header) throw new Error(`The broker sent a header that is ${header.malformed}`);
    word.header = header;
  }

  /** Disconnects without a close. */
  cut(): void {
    this.#socket.destroy();
  }

  /** Reads nothing more. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }
}

/** Runs the handshake as far as the broker allows, in RabbitMQ's order; returns the last method, if any. */
export async function greet(
  account: AmqpAccount,
  greeting: Greeting = {},
): Promise<{ wire: RawAmqpClient; last: ReceivedMethod | undefined }> {
  const wire = new RawAmqpClient(account);
  wire.bytes(greeting.header ?? HEADER);
  let last = await wire.next();
  if (last?.name !== 'connection.start') return { wire, last };
  const told: AmqpTable = new Map(
    (greeting.capabilities ?? CAPABILITIES).map((name) => [name, { type: 't', value: true }]),
  );
  wire.send(0, 'connection.start-ok', {
    clientProperties: new Map([['capabilities', { type: 'F', value: told }]]),
    mechanism: greeting.mechanism ?? 'PLAIN',
    response: Buffer.from(greeting.response ?? `\0${account.username}\0${account.password}`),
    locale: 'en_US',
  });
  last = await wire.next();
  if (last?.name !== 'connection.tune') return { wire, last };
  const { heartbeatS = 0, virtualHost = '/' } = greeting;
  const channelMax = greeting.channelMax ?? Number(last.args['channelMax']);
  const frameMax = greeting.frameMax ?? Number(last.args['frameMax']);
  wire.send(0, 'connection.tune-ok', { channelMax, frameMax, heartbeatS });
  wire.send(0, 'connection.open', { virtualHost });
  wire.frameMax = frameMax;
  return { wire, last: await wire.next() };
}

/** A connection with channel 1 open. */
export async function openRawAmqpClient(
  account: AmqpAccount,
  greeting: Greeting = {},
): Promise<RawAmqpClient> {
  const { wire, last } = await greet(account, greeting);
  if (last?.name !== 'connection.open-ok') throw new Error(`Not admitted: ${JSON.stringify(last?.args)}`);
  await wire.ask('channel.open');
  return wire;
}

const EMPTY = {
  bit: false,
  octet: 0,
  short: 0,
  long: 0,
  longlong: 0n,
  shortstr: '',
  longstr: new Uint8Array(),
  table: new Map(),
} as const;

function whole<Name extends MethodName>(
  name: Name,
  args: Partial<MethodArguments<Name>>,
): MethodArguments<Name> {
  const kinds: Readonly<Record<string, keyof typeof EMPTY>> = METHODS[name].fields;
  const empty = Object.fromEntries(Object.entries(kinds).map(([key, kind]) => [key, EMPTY[kind]]));
  // Each argument of the row is there, with an empty value of the kind that the row names.
  return { ...empty, ...args } as MethodArguments<Name>;
}

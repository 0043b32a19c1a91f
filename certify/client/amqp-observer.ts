import { type AmqpFrame, FRAME, FrameParser } from '../../brokers/amqp/codec/frames.ts';
import { decodeMethod } from '../../brokers/amqp/codec/method-codec.ts';
import type { AmqpTap } from '../../brokers/amqp/tap.ts';
import { BACKEND_USER } from '../../deployment/directory/identity-secrets.ts';
import { AmqpChannelReader } from './amqp-channel-reader.ts';
import type { EventLog } from './event-log.ts';
import { limits } from './limits.ts';

/** A connection that is not the service's own, or not yet identified. */
interface Watched {
  readonly sever: () => void;
  readonly fromClient: FrameParser;
  readonly fromBroker: FrameParser;
  readonly channels: Map<number, AmqpChannelReader>;
  hasBegun: boolean;
  /** It has sent its user name. */
  isKnown: boolean;
}

/** Watches the consumers at the embedded broker, except the service, and can be down for them. */
export class AmqpObserver implements AmqpTap {
  readonly #log: EventLog;
  readonly #watched = new Map<number, Watched>();
  #isAway = false;
  #deliveries = 0;

  constructor(log: EventLog) {
    this.#log = log;
  }

  /** Disconnects the clients, and accepts none until it is up again. The service stays connected: nothing is lost. */
  setAway(isAway: boolean): void {
    this.#isAway = isAway;
    if (!isAway) return;
    for (const [connection, { isKnown, sever }] of [...this.#watched])
      if (isKnown) this.#cut(connection, sever);
  }

  opened(connection: number, sever: () => void): void {
    this.#watched.set(connection, {
      sever,
      hasBegun: false,
      isKnown: false,
      channels: new Map(),
      fromClient: new FrameParser(),
      fromBroker: new FrameParser(),
    });
  }

  received(connection: number, bytes: Uint8Array): void {
    const watched = this.#watched.get(connection);
    if (watched === undefined) return;
    watched.fromClient.push(bytes);
    watched.hasBegun ||= watched.fromClient.takeProtocolHeader() !== undefined;
    while (watched.hasBegun && this.#watched.has(connection)) {
      const parsed = watched.fromClient.next(limits.amqpFrameBytes);
      if (parsed.kind === 'part') return;
      if (parsed.kind === 'frame') this.#asked(connection, watched, parsed.frame);
      // The broker refuses it, too.
      else this.#forget(connection);
    }
  }

  #asked(connection: number, watched: Watched, { type, channel, payload }: AmqpFrame): void {
    const decoded = type === FRAME.method ? decodeMethod(payload) : undefined;
    if (decoded?.kind !== 'method') return;
    const { method } = decoded;
    if (method.name === 'connection.start-ok') this.#signsIn(connection, watched, method.args.response);
    else if (method.name === 'channel.open') watched.channels.set(channel, this.#reader(connection));
    else if (method.name === 'channel.close') watched.channels.delete(channel);
    else watched.channels.get(channel)?.asked(method);
  }

  /** PLAIN (RFC 4616): the user is between two zero bytes. */
  #signsIn(connection: number, watched: Watched, response: Uint8Array): void {
    const user = Buffer.from(response).toString('utf8').split('\0')[1];
    if (user === BACKEND_USER) {
      this.#forget(connection);
      return;
    }
    this.#log.add({ kind: 'connected', connection, isRefused: this.#isAway });
    watched.isKnown = !this.#isAway;
    if (!this.#isAway) return;
    this.#forget(connection);
    watched.sever();
  }

  sent(connection: number, bytes: Uint8Array): void {
    const watched = this.#watched.get(connection);
    if (watched === undefined) return;
    watched.fromBroker.push(bytes);
    for (;;) {
      const parsed = watched.fromBroker.next(limits.amqpFrameBytes);
      if (parsed.kind !== 'frame') return;
      watched.channels.get(parsed.frame.channel)?.answered(parsed.frame);
    }
  }

  closed(connection: number): void {
    const watched = this.#watched.get(connection);
    this.#forget(connection);
    if (watched?.isKnown === true) this.#log.add({ kind: 'disconnected', connection, isCut: false });
  }

  #cut(connection: number, sever: () => void): void {
    this.#forget(connection);
    this.#log.add({ kind: 'disconnected', connection, isCut: true });
    sever();
  }

  #forget(connection: number): void {
    this.#watched.delete(connection);
  }

  #reader(connection: number): AmqpChannelReader {
    return new AmqpChannelReader(this.#log, connection, () => {
      this.#deliveries++;
      return this.#deliveries;
    });
  }
}

import type { Publication } from './link.ts';
import type { Trace } from './trace.ts';
import { BrokerSession } from './virtual-broker-session.ts';
import type { Packet, SignIn } from './virtual-packets.ts';
import { isTopicFilter, isTopicName, matchesFilter, TopicTree } from './virtual-topic-tree.ts';
import type { Wire, WireEnd } from './virtual-wire.ts';

/** Who may do what at the broker. The default lets everybody do everything. */
export interface BrokerRule {
  /** Asked with all that the CONNECT carries, the will and the keep-alive among it. */
  mayConnect(sign: SignIn): boolean;
  /** Asked for wills too, when they are published. */
  mayPublish(username: string, topic: string, retain: boolean): boolean;
  maySubscribe(username: string, filter: string): boolean;
}

export const OPEN_RULE: BrokerRule = {
  mayConnect: () => true,
  mayPublish: () => true,
  maySubscribe: () => true,
};

/** How many messages wait for one session before the newest is dropped. */
const QUEUE_BOUND = 100_000;

interface Connection {
  readonly wire: Wire;
  readonly sign: SignIn;
  readonly session: BrokerSession;
  /** Its sign-in has been closed: what still comes from it is nobody's. */
  isOver: boolean;
}

/** An MQTT 3.1.1 broker as far as its clients can tell: sessions, retained messages, wills, QoS 1, take-over. */
export class VirtualBroker {
  readonly #trace: Trace;
  readonly #rule: BrokerRule;
  readonly #queueBound: number;
  readonly #sessions = new Map<string, BrokerSession>();
  readonly #connections = new Map<string, Connection>();
  readonly #retained = new Map<string, Publication>();
  readonly #tree = new TopicTree<BrokerSession>();
  /** Whoever a message may wait for: most wait for none, and whoever looks need not ask them all. */
  readonly #offered = new Set<BrokerSession>();
  #rank = 0;
  #isDown = false;

  constructor(trace: Trace, rule: BrokerRule = OPEN_RULE, queueBound: number = QUEUE_BOUND) {
    this.#trace = trace;
    this.#rule = rule;
    this.#queueBound = queueBound;
  }

  /** Client ids with a living connection, as far as the broker knows. */
  get connected(): readonly string[] {
    return [...this.#connections.keys()];
  }

  /** How many clients have a living connection, and how many messages wait for the one for which most do. */
  get load(): { readonly clients: number; readonly waiting: number } {
    let waiting = 0;
    for (const session of this.#offered) {
      if (session.backlog === 0) this.#offered.delete(session);
      else if (this.#connections.get(session.clientId)?.session === session)
        waiting = Math.max(waiting, session.backlog);
    }
    return { clients: this.#connections.size, waiting };
  }

  /** Messages that wait for `clientId`, and how many were dropped because too many waited. */
  backlog(clientId: string): { readonly waiting: number; readonly dropped: number } {
    const session = this.#sessions.get(clientId);
    return { waiting: session?.backlog ?? 0, dropped: session?.droppedCount ?? 0 };
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  /** Refuses everybody while it is down, and drops everybody when it goes down. Sessions and retained messages stay. */
  setDown(isDown: boolean): void {
    this.#isDown = isDown;
    this.#trace.note({ who: 'broker', what: isDown ? 'down' : 'up' });
    if (isDown) this.#dropAll('the broker went down');
  }

  /** Ends the process of the broker and starts it again; without persistence it forgets sessions and retained ones. */
  restart(options: { readonly isPersistent: boolean }): void {
    this.#trace.note({
      who: 'broker',
      what: 'restart',
      detail: options.isPersistent ? 'persistent' : 'forgetful',
    });
    this.#dropAll('the broker restarted');
    if (!options.isPersistent) this.#forgetAll();
  }

  #forgetAll(): void {
    for (const session of this.#sessions.values()) this.#forget(session);
    this.#retained.clear();
  }

  /** Forgets the session of a client, with what waits in it, and severs its connection, whose will goes out. */
  loseSession(clientId: string): void {
    const connection = this.#connections.get(clientId);
    if (connection !== undefined) this.#close(connection, 'session lost', true);
    const session = this.#sessions.get(clientId);
    if (session !== undefined) this.#forget(session);
    connection?.wire.reset('session lost');
  }

  /** As when another connection of that client id signs in and leaves at once: see section 3.1.4. */
  takeOver(clientId: string): void {
    const connection = this.#connections.get(clientId);
    if (connection === undefined) return;
    this.#close(connection, 'taken over', true);
    connection.wire.leave('broker', 'taken over');
  }

  /** The broker's end of a new connection. */
  accept(wire: Wire): WireEnd {
    let connection: Connection | undefined;
    return {
      receive: (packet) => {
        if (connection !== undefined) this.#take(connection, packet);
        else if (packet.kind === 'CONNECT') connection = this.#signIn(wire, packet.sign);
      },
      lost: (reason) => {
        if (connection !== undefined) this.#close(connection, `lost: ${reason}`, true);
      },
    };
  }

  #signIn(wire: Wire, sign: SignIn): Connection | undefined {
    if (!this.#rule.mayConnect(sign)) {
      wire.send('client', { kind: 'CONNACK', isAccepted: false, present: false });
      wire.leave('broker', 'refused');
      return undefined;
    }
    const older = this.#connections.get(sign.clientId);
    if (older !== undefined) {
      // Section 3.1.4: the older connection of the same client id is disconnected.
      this.#close(older, 'taken over', true);
      older.wire.leave('broker', 'taken over');
    }
    let session = this.#sessions.get(sign.clientId);
    if (session !== undefined && (sign.clean || session.isClean)) {
      this.#forget(session);
      session = undefined;
    }
    const present = session !== undefined;
    session ??= this.#begin(sign);
    const connection: Connection = { wire, sign, session, isOver: false };
    this.#connections.set(sign.clientId, connection);
    wire.keepAlive(sign.keepAliveS);
    wire.send('client', { kind: 'CONNACK', isAccepted: true, present });
    session.connect((packet) => wire.send('client', packet));
    return connection;
  }

  #begin(sign: SignIn): BrokerSession {
    const session = new BrokerSession({
      clientId: sign.clientId,
      isClean: sign.clean,
      rank: this.#rank++,
      queueBound: this.#queueBound,
    });
    this.#sessions.set(sign.clientId, session);
    return session;
  }

  #take(connection: Connection, packet: Packet): void {
    if (connection.isOver) return;
    const { wire, session, sign } = connection;
    switch (packet.kind) {
      case 'PUBLISH':
        if (
          !isTopicName(packet.topic) ||
          !this.#rule.mayPublish(sign.username, packet.topic, packet.retain)
        ) {
          // MQTT 3.1.1 has no refusal for a publication: the connection ends (section 3.3.5).
          this.#refuse(connection, `may not publish on ${packet.topic}`);
          return;
        }
        wire.send('client', { kind: 'PUBACK', id: packet.id });
        this.#publish({ topic: packet.topic, payload: packet.payload, retain: packet.retain });
        return;
      case 'PUBACK':
        session.acknowledge(packet.id);
        return;
      case 'SUBSCRIBE':
        this.#subscribe(connection, packet.id, packet.filter);
        return;
      case 'DISCONNECT':
        this.#close(connection, 'disconnect', false);
        wire.leave('broker', 'ended');
        return;
      case 'CONNECT':
      case 'CONNACK':
      case 'SUBACK':
      case 'FIN':
        this.#refuse(connection, `sent an unexpected ${packet.kind}`);
        return;
      default:
        packet satisfies never;
    }
  }

  #subscribe(connection: Connection, id: number, filter: string): void {
    const { session, sign, wire } = connection;
    const isGranted = isTopicFilter(filter) && this.#rule.maySubscribe(sign.username, filter);
    wire.send('client', { kind: 'SUBACK', id, isGranted });
    if (!isGranted) return;
    session.filters.add(filter);
    this.#tree.add(filter, session);
    // Section 3.3.1.3: the retained messages that match come with every SUBSCRIBE, marked as retained.
    if (isTopicName(filter)) {
      // Every box subscribes to a topic of its own: to look through what all have retained would grow with the fleet.
      const message = this.#retained.get(filter);
      if (message !== undefined) this.#offer(session, message);
      return;
    }
    for (const message of this.#retained.values()) {
      if (matchesFilter(filter, message.topic)) this.#offer(session, message);
    }
  }

  #publish(message: Publication): void {
    if (message.retain) {
      if (message.payload.byteLength === 0) this.#retained.delete(message.topic);
      else this.#retained.set(message.topic, message);
    }
    const receivers = this.#tree.match(message.topic);
    if (receivers.length === 0) return;
    const { topic, payload } = message;
    const live: Publication = message.retain ? { topic, payload, retain: false } : message;
    const inTurn = receivers.length === 1 ? receivers : receivers.toSorted((a, b) => a.rank - b.rank);
    for (const session of inTurn) this.#offer(session, live);
  }

  #offer(session: BrokerSession, message: Publication): void {
    session.offer(message);
    this.#offered.add(session);
  }

  #refuse(connection: Connection, reason: string): void {
    this.#close(connection, reason, true);
    connection.wire.leave('broker', reason);
  }

  /** Forgets a connection that is gone; its will goes out unless it said goodbye. */
  #close(connection: Connection, reason: string, hasWill: boolean): void {
    const { session, sign } = connection;
    if (connection.isOver) return;
    connection.isOver = true;
    this.#connections.delete(sign.clientId);
    this.#trace.note({ who: 'broker', what: 'close', detail: `${sign.clientId} ${reason}` });
    session.disconnect();
    if (session.isClean) this.#forget(session);
    const { will } = sign;
    if (hasWill && will !== undefined && this.#rule.mayPublish(sign.username, will.topic, will.retain))
      this.#publish(will);
  }

  #forget(session: BrokerSession): void {
    this.#offered.delete(session);
    for (const filter of session.filters) this.#tree.remove(filter, session);
    if (this.#sessions.get(session.clientId) === session) this.#sessions.delete(session.clientId);
  }

  /** A broker that ends publishes no wills. */
  #dropAll(reason: string): void {
    for (const connection of [...this.#connections.values()]) {
      this.#close(connection, reason, false);
      connection.wire.leave('broker', reason);
    }
  }
}

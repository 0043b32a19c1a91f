import type { Trace } from '../trace/trace.ts';
import type { MqttMessage } from './mqtt-client.ts';
import { isTopicFilter, isTopicName, matchesFilter } from './topic-filter.ts';
import { type PublishedMessage, VirtualMqttBrokerSession } from './virtual-mqtt-broker-session.ts';
import type { ConnectionEnd, ConnectionSide, MqttConnectFields, MqttPacket } from './virtual-mqtt-packets.ts';
import { TopicTree } from './virtual-topic-tree.ts';

/** Authorization at the broker. By default everything is allowed. */
export interface MqttAccessRules {
  /** Called with all fields of the CONNECT, including the will and the keep-alive. */
  mayConnect(connect: MqttConnectFields): boolean;
  /** Also called for a will when it is published. */
  mayPublish(username: string, topic: string, retain: boolean): boolean;
  maySubscribe(username: string, filter: string): boolean;
}

export const ALLOW_ALL: MqttAccessRules = {
  mayConnect: () => true,
  mayPublish: () => true,
  maySubscribe: () => true,
};

/** The broker's operations on a connection of a client. */
export interface BrokerConnection {
  /** From now on a client that sends nothing for one and a half times this is disconnected. 0: never. */
  keepAlive(periodS: number): void;
  send(to: ConnectionSide, packet: MqttPacket): void;
  /** `side` closes it and gets no further callbacks; the other side is notified. */
  leave(side: ConnectionSide, reason: string): void;
  /** Severs it: both ends are notified immediately. */
  reset(reason: string): void;
}

/** The highest number of queued messages of a session; beyond it the newest is dropped. */
const QUEUE_BOUND = 100_000;

/** The state that all nodes of a cluster share. */
const NEEDS_MAJORITY: ReadonlySet<MqttPacket['kind']> = new Set(['CONNECT', 'PUBLISH', 'SUBSCRIBE']);

interface BrokerClient {
  readonly connection: BrokerConnection;
  readonly connect: MqttConnectFields;
  readonly session: VirtualMqttBrokerSession;
  /** The connection has been closed: later packets are ignored. */
  isOver: boolean;
}

/** An MQTT 3.1.1 broker as its clients see it: sessions, retained messages, wills, QoS 1, take-over. */
export class VirtualMqttBroker {
  readonly #trace: Trace;
  readonly #access: MqttAccessRules;
  readonly #queueBound: number;
  readonly #sessions = new Map<string, VirtualMqttBrokerSession>();
  readonly #clients = new Map<string, BrokerClient>();
  readonly #retained = new Map<string, PublishedMessage>();
  readonly #tree = new TopicTree<VirtualMqttBrokerSession>();
  /** Sessions that may have queued messages: most have none, so that `load` need not check all of them. */
  readonly #offered = new Set<VirtualMqttBrokerSession>();
  #rank = 0;
  #isDown = false;
  #isInMinority = false;
  /** Connections from which it took a packet that it did not process. */
  readonly #failed = new Set<BrokerConnection>();
  #metCount = 0;

  constructor(trace: Trace, access: MqttAccessRules = ALLOW_ALL, queueBound: number = QUEUE_BOUND) {
    this.#trace = trace;
    this.#access = access;
    this.#queueBound = queueBound;
  }

  /** Client ids that have a connection, as far as the broker knows. */
  get connected(): readonly string[] {
    return [...this.#clients.keys()];
  }

  /** How many clients are connected, and the length of the longest queue. */
  get load(): { readonly clients: number; readonly waiting: number } {
    let waiting = 0;
    for (const session of this.#offered) {
      if (session.backlog === 0) this.#offered.delete(session);
      else if (this.#clients.get(session.clientId)?.session === session)
        waiting = Math.max(waiting, session.backlog);
    }
    return { clients: this.#clients.size, waiting };
  }

  /** Messages queued for `clientId`, and how many were dropped because the queue was full. */
  backlog(clientId: string): { readonly waiting: number; readonly dropped: number } {
    const session = this.#sessions.get(clientId);
    return { waiting: session?.backlog ?? 0, dropped: session?.droppedCount ?? 0 };
  }

  /** Whether `clientId` has a connection, as far as the broker knows, and is subscribed to `filter`. */
  isSubscribed(clientId: string, filter: string): boolean {
    return this.#clients.get(clientId)?.session.filters.includes(filter) === true;
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  /**
   * While down, the broker refuses all clients; going down drops all connections. Sessions and retained
   * messages stay.
   */
  setDown(isDown: boolean): void {
    this.#isDown = isDown;
    this.#trace.note({ who: 'broker', what: isDown ? 'down' : 'up' });
    if (isDown) this.#dropAll('the broker went down');
  }

  /**
   * In minority, the broker is as one node of a cluster that has lost the others: it keeps connections and answers
   * pings, and takes no message, subscription or session; wills are lost. Afterwards it closes the connections of the
   * affected clients, as NATS does.
   */
  setInMinority(isInMinority: boolean): void {
    this.#isInMinority = isInMinority;
    this.#trace.note({ who: 'broker', what: isInMinority ? 'in minority' : 'with majority' });
    if (isInMinority) return;
    const failed = [...this.#failed];
    this.#failed.clear();
    for (const connection of failed) connection.reset('the broker could not take what was sent');
  }

  /** Restarts the broker's process; without persistence it loses sessions and retained messages. */
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
    this.#metCount += this.#sessions.size;
    for (const session of this.#sessions.values()) this.#forget(session);
    this.#retained.clear();
  }

  /**
   * Deletes the session of a client with its queue, and severs its connection; its will is published. Returns whether
   * there was any of it.
   */
  loseSession(clientId: string): boolean {
    const client = this.#clients.get(clientId);
    if (client !== undefined) this.#close(client, 'session lost', true);
    const session = this.#sessions.get(clientId);
    if (session !== undefined) this.#forget(session);
    client?.connection.reset('session lost');
    return client !== undefined || session !== undefined;
  }

  /**
   * Simulates another connection with that client id that signs in and leaves immediately: see section 3.1.4. Returns
   * whether there was a connection to take over.
   */
  takeOver(clientId: string): boolean {
    const client = this.#clients.get(clientId);
    if (client === undefined) return false;
    this.#close(client, 'taken over', true);
    client.connection.leave('broker', 'taken over');
    return true;
  }

  /** The broker's end of a new connection. */
  accept(connection: BrokerConnection): ConnectionEnd {
    let client: BrokerClient | undefined;
    return {
      receive: (packet) => {
        if (this.#isInMinority && NEEDS_MAJORITY.has(packet.kind)) this.#fail(connection);
        else if (client !== undefined) this.#receive(client, packet);
        else if (packet.kind === 'CONNECT') client = this.#signIn(connection, packet.connect);
      },
      lost: (reason) => {
        this.#failed.delete(connection);
        if (client !== undefined) this.#close(client, `lost: ${reason}`, true);
      },
    };
  }

  #fail(connection: BrokerConnection): void {
    this.#failed.add(connection);
    this.#metCount += 1;
  }

  /** How many connections it has dropped, refused or failed so far because of a fault. */
  get metCount(): number {
    return this.#metCount;
  }

  /** A client tried to connect while the broker is down. */
  turnAway(): void {
    this.#metCount += 1;
  }

  #signIn(connection: BrokerConnection, connect: MqttConnectFields): BrokerClient | undefined {
    if (!this.#access.mayConnect(connect)) {
      connection.send('client', { kind: 'CONNACK', isAccepted: false, present: false });
      connection.leave('broker', 'refused');
      return undefined;
    }
    const olderClient = this.#clients.get(connect.clientId);
    if (olderClient !== undefined) {
      // Section 3.1.4: the older connection of the same client id is disconnected.
      this.#close(olderClient, 'taken over', true);
      olderClient.connection.leave('broker', 'taken over');
    }
    let session = this.#sessions.get(connect.clientId);
    if (session !== undefined && (connect.clean || session.isClean)) {
      this.#forget(session);
      session = undefined;
    }
    const present = session !== undefined;
    session ??= this.#begin(connect);
    const client: BrokerClient = { connection, connect, session, isOver: false };
    this.#clients.set(connect.clientId, client);
    connection.keepAlive(connect.keepAliveS);
    connection.send('client', { kind: 'CONNACK', isAccepted: true, present });
    session.connect((packet) => connection.send('client', packet));
    return client;
  }

  #begin(connect: MqttConnectFields): VirtualMqttBrokerSession {
    const session = new VirtualMqttBrokerSession({
      clientId: connect.clientId,
      isClean: connect.clean,
      rank: this.#rank++,
      queueBound: this.#queueBound,
    });
    this.#sessions.set(connect.clientId, session);
    return session;
  }

  #receive(client: BrokerClient, packet: MqttPacket): void {
    if (client.isOver) return;
    const { connection, session, connect } = client;
    switch (packet.kind) {
      case 'PUBLISH':
        if (
          !isTopicName(packet.topic) ||
          !this.#access.mayPublish(connect.username, packet.topic, packet.retain)
        ) {
          // MQTT 3.1.1 cannot refuse a publication: the connection ends (section 3.3.5).
          this.#refuse(client, `may not publish on ${packet.topic}`);
          return;
        }
        this.#take(connection, packet);
        return;
      case 'PUBACK':
        session.acknowledge(packet.id);
        return;
      case 'SUBSCRIBE':
        this.#subscribe(client, packet.id, packet.filter);
        return;
      case 'DISCONNECT':
        this.#close(client, 'disconnect', false);
        connection.leave('broker', 'ended');
        return;
      case 'CONNECT':
      case 'CONNACK':
      case 'SUBACK':
      case 'FIN':
        this.#refuse(client, `sent an unexpected ${packet.kind}`);
        return;
      default:
        packet satisfies never;
    }
  }

  #take(
    connection: BrokerConnection,
    { id, topic, payload, retain }: Extract<MqttPacket, { kind: 'PUBLISH' }>,
  ): void {
    const message: MqttMessage = { topic, payload, retain };
    if (id !== 0) connection.send('client', { kind: 'PUBACK', id });
    this.#publish(id === 0 ? { ...message, isAtMostOnce: true } : message);
  }

  #subscribe(client: BrokerClient, id: number, filter: string): void {
    const { session, connect, connection } = client;
    const isGranted = isTopicFilter(filter) && this.#access.maySubscribe(connect.username, filter);
    connection.send('client', { kind: 'SUBACK', id, isGranted });
    if (!isGranted) return;
    // Not added to: an array that grows has room for 17.
    if (!session.filters.includes(filter)) session.filters = session.filters.concat(filter);
    this.#tree.add(filter, session);
    // Section 3.3.1.3: matching retained messages are sent after every SUBSCRIBE, with the retain flag.
    if (isTopicName(filter)) {
      // Every box subscribes to its own topic: searching all retained messages would grow with the fleet.
      const message = this.#retained.get(filter);
      if (message !== undefined) this.#offer(session, message);
      return;
    }
    for (const message of this.#retained.values()) {
      if (matchesFilter(filter, message.topic)) this.#offer(session, message);
    }
  }

  #publish(message: PublishedMessage): void {
    if (message.retain) {
      if (message.payload.byteLength === 0) this.#retained.delete(message.topic);
      else this.#retained.set(message.topic, message);
    }
    const receivers = this.#tree.match(message.topic);
    if (receivers.length === 0) return;
    const live: PublishedMessage = message.retain ? { ...message, retain: false } : message;
    const inTurn = receivers.length === 1 ? receivers : receivers.toSorted((a, b) => a.rank - b.rank);
    for (const session of inTurn) this.#offer(session, live);
  }

  #offer(session: VirtualMqttBrokerSession, message: PublishedMessage): void {
    session.offer(message);
    this.#offered.add(session);
  }

  #refuse(client: BrokerClient, reason: string): void {
    this.#close(client, reason, true);
    client.connection.leave('broker', reason);
  }

  /** Removes a connection that has ended; its will is published unless the client sent DISCONNECT. */
  #close(client: BrokerClient, reason: string, hasWill: boolean): void {
    const { session, connect } = client;
    if (client.isOver) return;
    client.isOver = true;
    this.#clients.delete(connect.clientId);
    this.#trace.note({ who: 'broker', what: 'close', detail: `${connect.clientId} ${reason}` });
    session.disconnect();
    if (session.isClean) this.#forget(session);
    const { will } = connect;
    if (this.#isInMinority) {
      this.#metCount += 1;
      return;
    }
    if (hasWill && will !== undefined && this.#access.mayPublish(connect.username, will.topic, will.retain))
      this.#publish(will);
  }

  #forget(session: VirtualMqttBrokerSession): void {
    this.#offered.delete(session);
    for (const filter of session.filters) this.#tree.remove(filter, session);
    if (this.#sessions.get(session.clientId) === session) this.#sessions.delete(session.clientId);
  }

  /** A broker that stops publishes no wills. */
  #dropAll(reason: string): void {
    for (const client of [...this.#clients.values()]) {
      this.#metCount += 1;
      this.#close(client, reason, false);
      client.connection.leave('broker', reason);
    }
  }
}

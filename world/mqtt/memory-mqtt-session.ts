import { copyOf } from '../flash/virtual-byte-copies.ts';
import { Fifo } from '../loop/virtual-fifo.ts';
import type { MemoryConnection } from './memory-connection.ts';
import type { MemoryTurns } from './memory-turns.ts';
import {
  MqttConnectionLost,
  type MqttConnectOptions,
  type MqttMessage,
  MqttRefused,
  type MqttSession,
  type MqttSessionEvents,
} from './mqtt-client.ts';
import type { ConnectionEnd, MqttPacket } from './virtual-mqtt-packets.ts';
import { PacketIds } from './virtual-packet-ids.ts';

/** A publication or subscription without an answer. */
interface PendingRequest {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly filter?: string;
}

type Publish = Extract<MqttPacket, { kind: 'PUBLISH' }>;

/** The client's end of a connection in memory. */
export class MemoryMqttSession implements MqttSession, ConnectionEnd {
  present = false;
  readonly #turns: MemoryTurns;
  readonly #connection: MemoryConnection;
  readonly #events: MqttSessionEvents;
  readonly #pendingRequests = new PacketIds<PendingRequest>();
  /** Messages that wait for the acknowledgement of the one before them; made with the first of them. */
  #inbox: Fifo<Publish> | undefined;
  /** `opening` until the caller has the session: no message is passed on before. */
  #phase: 'connecting' | 'opening' | 'open' | 'ending' | 'closed' = 'connecting';
  #isAwaitingAcknowledgement = false;
  #settleOpen: PendingOpen | undefined;
  #whenClosed: (() => void)[] | undefined;

  /** Connects; the broker answers in a later turn. Rejects with `MqttRefused`. */
  static open(
    turns: MemoryTurns,
    connection: MemoryConnection,
    options: MqttConnectOptions,
    events: MqttSessionEvents,
  ): Promise<MqttSession> {
    return new Promise((resolve, reject) => {
      const session = new MemoryMqttSession(turns, connection, events, { resolve, reject });
      const { clientId, username, password, clean, keepAliveS, will } = options;
      connection.attach('client', session);
      connection.send('broker', {
        kind: 'CONNECT',
        connect: { clientId, username, password, clean, keepAliveS, will },
      });
    });
  }

  private constructor(
    turns: MemoryTurns,
    connection: MemoryConnection,
    events: MqttSessionEvents,
    settleOpen: PendingOpen,
  ) {
    this.#turns = turns;
    this.#connection = connection;
    this.#events = events;
    this.#settleOpen = settleOpen;
  }

  publish({ topic, payload, retain }: MqttMessage): Promise<void> {
    // The caller may reuse its buffer.
    return this.#request(undefined, (id) => ({
      kind: 'PUBLISH',
      id,
      topic,
      payload: copyOf(payload),
      retain,
    }));
  }

  subscribe(filter: string): Promise<void> {
    return this.#request(filter, (id) => ({ kind: 'SUBSCRIBE', id, filter }));
  }

  end(): Promise<void> {
    if (this.#phase === 'closed') return Promise.resolve();
    if (this.#phase !== 'ending') {
      this.#phase = 'ending';
      this.#connection.send('broker', { kind: 'DISCONNECT' });
    }
    return new Promise((resolve) => {
      this.#whenClosed ??= [];
      this.#whenClosed.push(resolve);
    });
  }

  drop(): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'ending';
    this.#connection.leave('client', 'dropped');
    this.#turns.add(() => this.#close('dropped'));
  }

  /** From the broker. */
  receive(packet: MqttPacket): void {
    switch (packet.kind) {
      case 'CONNACK':
        this.#connected(packet.isAccepted, packet.present);
        return;
      case 'PUBACK':
        this.#pendingRequests.take(packet.id)?.resolve();
        return;
      case 'SUBACK': {
        const request = this.#pendingRequests.take(packet.id);
        if (packet.isGranted) request?.resolve();
        else request?.reject(new MqttRefused(`The broker refuses to subscribe to ${request.filter ?? ''}.`));
        return;
      }
      case 'PUBLISH':
        this.#inbox ??= new Fifo();
        this.#inbox.push(packet);
        this.#handOver();
        return;
      default:
        // Brokers send no other packets.
        return;
    }
  }

  /** The connection has ended. */
  lost(reason: string): void {
    this.#close(this.#phase === 'ending' ? 'ended' : reason);
  }

  #connected(isAccepted: boolean, present: boolean): void {
    if (!isAccepted) {
      this.#connection.leave('client', 'refused');
      this.#close('the broker refuses this client');
      return;
    }
    this.present = present;
    this.#phase = 'opening';
    this.#settleOpen?.resolve(this);
    this.#settleOpen = undefined;
    // By then the caller has the session.
    this.#turns.add(() => {
      if (this.#phase === 'opening') this.#phase = 'open';
      this.#handOver();
    });
  }

  /** Whether the broker has received an unanswered request is unknown when the connection ends. */
  #request(filter: string | undefined, packetOf: (id: number) => MqttPacket): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#phase === 'ending' || this.#phase === 'closed') {
        reject(new MqttConnectionLost('The MQTT connection is gone: it was ended.'));
        return;
      }
      const request = filter === undefined ? { resolve, reject } : { resolve, reject, filter };
      this.#connection.send('broker', packetOf(this.#pendingRequests.add(request)));
    });
  }

  /** Passes the next message on, if the one before it is acknowledged. */
  #handOver(): void {
    if (this.#phase !== 'open' || this.#isAwaitingAcknowledgement) return;
    const packet = this.#inbox?.shift();
    if (packet === undefined) return;
    this.#isAwaitingAcknowledgement = true;
    let isAcknowledged = false;
    this.#events.message(packet.topic, packet.payload, packet.retain, () => {
      if (isAcknowledged || this.#phase === 'closed') return;
      isAcknowledged = true;
      this.#isAwaitingAcknowledgement = false;
      this.#connection.send('broker', { kind: 'PUBACK', id: packet.id });
      if (this.#inbox !== undefined && this.#inbox.length > 0) this.#turns.add(() => this.#handOver());
    });
  }

  #close(reason: string): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    this.#inbox = undefined;
    for (const { reject } of this.#pendingRequests.clear())
      reject(new MqttConnectionLost(`The MQTT connection is gone: ${reason}.`));
    if (this.#settleOpen === undefined) this.#events.closed(reason);
    else this.#settleOpen.reject(new MqttRefused(`No MQTT session: ${reason}.`));
    this.#settleOpen = undefined;
    for (const resolve of this.#whenClosed ?? []) resolve();
  }
}

interface PendingOpen {
  readonly resolve: (session: MqttSession) => void;
  readonly reject: (error: Error) => void;
}

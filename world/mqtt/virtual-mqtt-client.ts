import { copyOf } from '../flash/virtual-byte-copies.ts';
import { Fifo } from '../loop/virtual-fifo.ts';
import type { VirtualLoop } from '../loop/virtual-loop.ts';
import type { PendingCall } from '../loop/virtual-pending-call.ts';
import type { ProcessScope } from '../loop/virtual-process-scope.ts';
import {
  type MqttClient,
  MqttConnectionLost,
  type MqttConnectOptions,
  MqttRefused,
  type MqttSession,
  type MqttSessionEvents,
} from './mqtt-client.ts';
import type { ConnectionEnd, ConnectionSide, MqttPacket } from './virtual-mqtt-packets.ts';
import { PacketIds } from './virtual-packet-ids.ts';

/** How long a disconnect may take before the connection is dropped instead. */
const END_TIMEOUT_MS = 2_000;

/** A client's operations on its connection to the broker. */
interface ClientConnection {
  attach(side: ConnectionSide, end: ConnectionEnd): void;
  send(to: ConnectionSide, packet: MqttPacket): void;
  leave(side: ConnectionSide, reason: string): void;
}

/** The virtual network. */
interface Network {
  connect(clientId: string): ClientConnection;
}

/** MQTT sessions of `scope` over the virtual network. */
export function virtualMqttClient(loop: VirtualLoop, network: Network, scope: ProcessScope): MqttClient {
  return {
    open: (options, events) => new VirtualMqttSession(loop, network, scope, options, events).opened,
  };
}

/** A request without an answer: a publication, or the subscription of a filter. */
interface PendingRequest {
  readonly call: PendingCall<void>;
  readonly filter?: string;
}

/** The client's end of one connection. */
class VirtualMqttSession {
  readonly #loop: VirtualLoop;
  readonly #scope: ProcessScope;
  readonly #name: string;
  readonly #events: MqttSessionEvents;
  readonly #connection: ClientConnection;
  readonly #pendingOpen: PendingCall<MqttSession>;
  readonly #pendingRequests = new PacketIds<PendingRequest>();
  #pendingEnd: PendingCall<void> | undefined;
  readonly #inbox = new Fifo<Extract<MqttPacket, { kind: 'PUBLISH' }>>();
  #isAwaitingAcknowledgement: boolean = false;
  #state: 'connecting' | 'open' | 'closed' = 'connecting';
  readonly #cancels: (() => void)[] = [];
  #cancelTimeout: () => void = () => undefined;

  constructor(
    loop: VirtualLoop,
    network: Network,
    scope: ProcessScope,
    options: MqttConnectOptions,
    events: MqttSessionEvents,
  ) {
    this.#loop = loop;
    this.#scope = scope;
    this.#name = options.clientId;
    this.#events = events;
    this.#pendingOpen = loop.pendingCall(scope, `link ${options.clientId} open`);
    this.#connection = network.connect(options.clientId);
    if (scope.isKilled) return;
    this.#connection.attach('client', {
      receive: (packet) => this.#receive(packet),
      lost: (reason) => this.#closed(reason),
    });
    const timeoutMs = options.connectTimeoutMs;
    this.#cancelTimeout = loop.schedule(loop.nowMs + timeoutMs, `link ${this.#name} connect timeout`, () => {
      this.#connection.leave('client', 'no answer');
      this.#closed(`no answer within ${timeoutMs} ms`);
    });
    this.#cancels.push(
      this.#cancelTimeout,
      scope.onKill(() => this.#killed()),
    );
    const { clientId, username, password, clean, keepAliveS, will } = options;
    this.#connection.send('broker', {
      kind: 'CONNECT',
      connect: { clientId, username, password, clean, keepAliveS, will },
    });
  }

  get opened(): Promise<MqttSession> {
    return this.#pendingOpen.promise;
  }

  #receive(packet: MqttPacket): void {
    switch (packet.kind) {
      case 'CONNACK':
        this.#connected(packet.isAccepted, packet.present);
        return;
      case 'PUBACK':
        this.#pendingRequests.take(packet.id)?.call.resolve();
        return;
      case 'SUBACK': {
        const request = this.#pendingRequests.take(packet.id);
        if (packet.isGranted) request?.call.resolve();
        else
          request?.call.reject(new MqttRefused(`The broker refuses to subscribe to ${request.filter ?? ''}`));
        return;
      }
      case 'PUBLISH':
        if (this.#isAwaitingAcknowledgement) this.#inbox.push(packet);
        else this.#handOver(packet);
        return;
      default:
        // Brokers send no other packets.
        return;
    }
  }

  #connected(isAccepted: boolean, present: boolean): void {
    if (!isAccepted) {
      this.#connection.leave('client', 'refused');
      this.#closed('the broker refuses this client');
      return;
    }
    this.#state = 'open';
    this.#cancelTimeout();
    this.#pendingOpen.resolve({
      present,
      publish: (message) => {
        const { topic, retain } = message;
        const call = this.#request(`publish ${topic}`);
        if (!call.isPending) return call.promise;
        const id = this.#pendingRequests.add({ call });
        // The caller may reuse its buffer.
        const payload = copyOf(message.payload);
        this.#connection.send('broker', { kind: 'PUBLISH', id, topic, payload, retain });
        return call.promise;
      },
      subscribe: (filter) => {
        const call = this.#request(`subscribe ${filter}`);
        if (!call.isPending) return call.promise;
        const id = this.#pendingRequests.add({ call, filter });
        this.#connection.send('broker', { kind: 'SUBSCRIBE', id, filter });
        return call.promise;
      },
      end: () => this.#end(),
      drop: () => this.#drop(),
    });
  }

  /** A new request to the broker; already rejected if the connection has ended. */
  #request(what: string): PendingCall<void> {
    const call = this.#loop.pendingCall<void>(this.#scope, `link ${this.#name} ${what}`);
    if (this.#state !== 'open') call.reject(new MqttConnectionLost('The connection has ended'));
    return call;
  }

  /**
   * Passes a message to the program. The next one follows only when the program has acknowledged this one.
   */
  #handOver(packet: Extract<MqttPacket, { kind: 'PUBLISH' }> | undefined): void {
    if (packet === undefined || this.#state === 'closed' || this.#scope.isKilled) return;
    this.#isAwaitingAcknowledgement = true;
    let isAcknowledged = false;
    this.#events.message(packet.topic, packet.payload, packet.retain, () => {
      if (isAcknowledged || this.#state === 'closed' || this.#scope.isKilled) return;
      isAcknowledged = true;
      this.#isAwaitingAcknowledgement = false;
      if (packet.id !== 0) this.#connection.send('broker', { kind: 'PUBACK', id: packet.id });
      if (this.#inbox.length > 0) {
        this.#isAwaitingAcknowledgement = true;
        this.#loop.schedule(this.#loop.nowMs, `link ${this.#name} next message`, () =>
          this.#handOver(this.#inbox.shift()),
        );
      }
    });
  }

  #end(): Promise<void> {
    if (this.#pendingEnd !== undefined) return this.#pendingEnd.promise;
    const pendingEnd = this.#loop.pendingCall<void>(this.#scope, `link ${this.#name} end`);
    this.#pendingEnd = pendingEnd;
    if (this.#state === 'closed') pendingEnd.resolve();
    else {
      this.#connection.send('broker', { kind: 'DISCONNECT' });
      this.#cancels.push(
        this.#loop.schedule(this.#loop.nowMs + END_TIMEOUT_MS, `link ${this.#name} goodbye timeout`, () => {
          this.#connection.leave('client', 'dropped');
          this.#closed('ended');
        }),
      );
    }
    return pendingEnd.promise;
  }

  #drop(): void {
    if (this.#state === 'closed' || this.#scope.isKilled) return;
    this.#connection.leave('client', 'dropped');
    this.#inbox.clear();
    this.#loop.schedule(this.#loop.nowMs, `link ${this.#name} dropped`, () => this.#closed('dropped'));
  }

  #killed(): void {
    this.#connection.leave('client', 'severed');
    for (const cancel of this.#cancels) cancel();
    this.#state = 'closed';
  }

  /** The connection has ended. Whether the broker received the unanswered requests is unknown. */
  #closed(reason: string): void {
    if (this.#state === 'closed') return;
    const wasOpen = this.#state === 'open';
    this.#state = 'closed';
    for (const cancel of this.#cancels) cancel();
    this.#inbox.clear();
    const lost = (): MqttConnectionLost => new MqttConnectionLost(`The connection ended: ${reason}`);
    for (const { call } of this.#pendingRequests.clear()) call.reject(lost());
    if (wasOpen) this.#events.closed(reason);
    else this.#pendingOpen.reject(new MqttRefused(`The connection failed: ${reason}`));
    this.#pendingEnd?.resolve();
  }
}

import { type Link, type LinkEvents, LinkLost, type LinkOptions, LinkRefused, type Session } from './link.ts';
import { copyOf } from './virtual-copy.ts';
import { Fifo } from './virtual-fifo.ts';
import type { Life } from './virtual-life.ts';
import type { VirtualLoop } from './virtual-loop.ts';
import type { VirtualNetwork } from './virtual-network.ts';
import type { Opening } from './virtual-opening.ts';
import { PacketIds } from './virtual-packet-ids.ts';
import type { Packet } from './virtual-packets.ts';
import type { Wire } from './virtual-wire.ts';

/** How long a goodbye may take before the connection is dropped instead. */
const GOODBYE_MS = 2_000;

/** MQTT sessions of `life` over the virtual network. */
export function virtualLink(loop: VirtualLoop, network: VirtualNetwork, life: Life): Link {
  return {
    open: (options, events) => new LinkClient(loop, network, life, options, events).opened,
  };
}

/** What waits for the broker's word: a publication, or the subscription of a filter. */
interface Request {
  readonly opening: Opening<void>;
  readonly filter?: string;
}

/** The client's end of one connection. */
class LinkClient {
  readonly #loop: VirtualLoop;
  readonly #life: Life;
  readonly #name: string;
  readonly #events: LinkEvents;
  readonly #wire: Wire;
  readonly #opening: Opening<Session>;
  readonly #requests = new PacketIds<Request>();
  #goodbye: Opening<void> | undefined;
  readonly #inbox = new Fifo<Extract<Packet, { kind: 'PUBLISH' }>>();
  #isHeld: boolean = false;
  #state: 'connecting' | 'open' | 'closed' = 'connecting';
  readonly #takeBack: (() => void)[] = [];
  #cancelTimeout: () => void = () => undefined;

  constructor(
    loop: VirtualLoop,
    network: VirtualNetwork,
    life: Life,
    options: LinkOptions,
    events: LinkEvents,
  ) {
    this.#loop = loop;
    this.#life = life;
    this.#name = options.clientId;
    this.#events = events;
    this.#opening = loop.opening(life, `link ${options.clientId} open`);
    this.#wire = network.connect(options.clientId);
    if (life.isSevered) return;
    this.#wire.attach('client', {
      receive: (packet) => this.#receive(packet),
      lost: (reason) => this.#closed(reason),
    });
    const timeoutMs = options.connectTimeoutMs;
    this.#cancelTimeout = loop.schedule(loop.nowMs + timeoutMs, `link ${this.#name} connect timeout`, () => {
      this.#wire.leave('client', 'no answer');
      this.#closed(`no answer within ${timeoutMs} ms`);
    });
    this.#takeBack.push(
      this.#cancelTimeout,
      life.onSever(() => this.#severed()),
    );
    const { clientId, username, password, clean, keepAliveS, will } = options;
    this.#wire.send('broker', {
      kind: 'CONNECT',
      sign: { clientId, username, password, clean, keepAliveS, will },
    });
  }

  get opened(): Promise<Session> {
    return this.#opening.promise;
  }

  #receive(packet: Packet): void {
    switch (packet.kind) {
      case 'CONNACK':
        this.#connected(packet.isAccepted, packet.present);
        return;
      case 'PUBACK':
        this.#requests.take(packet.id)?.opening.resolve();
        return;
      case 'SUBACK': {
        const request = this.#requests.take(packet.id);
        if (packet.isGranted) request?.opening.resolve();
        else
          request?.opening.reject(
            new LinkRefused(`The broker refuses to subscribe to ${request.filter ?? ''}`),
          );
        return;
      }
      case 'PUBLISH':
        if (this.#isHeld) this.#inbox.push(packet);
        else this.#handOver(packet);
        return;
      default:
        // Brokers send nothing else.
        return;
    }
  }

  #connected(isAccepted: boolean, present: boolean): void {
    if (!isAccepted) {
      this.#wire.leave('client', 'refused');
      this.#closed('the broker refuses this client');
      return;
    }
    this.#state = 'open';
    this.#cancelTimeout();
    this.#opening.resolve({
      present,
      publish: (publication) => {
        const { topic, retain } = publication;
        const opening = this.#request(`publish ${topic}`);
        if (!opening.isOpen) return opening.promise;
        const id = this.#requests.add({ opening });
        // The caller may use its buffer again.
        const payload = copyOf(publication.payload);
        this.#wire.send('broker', { kind: 'PUBLISH', id, topic, payload, retain });
        return opening.promise;
      },
      subscribe: (filter) => {
        const opening = this.#request(`subscribe ${filter}`);
        if (!opening.isOpen) return opening.promise;
        const id = this.#requests.add({ opening, filter });
        this.#wire.send('broker', { kind: 'SUBSCRIBE', id, filter });
        return opening.promise;
      },
      end: () => this.#end(),
      drop: () => this.#drop(),
    });
  }

  /** What is asked of the broker; rejected already where there is no connection any more. */
  #request(what: string): Opening<void> {
    const opening = this.#loop.opening<void>(this.#life, `link ${this.#name} ${what}`);
    if (this.#state !== 'open') opening.reject(new LinkLost('The connection has ended'));
    return opening;
  }

  /** Hands over a message. Nothing more goes to the program until it has acknowledged this one. */
  #handOver(packet: Extract<Packet, { kind: 'PUBLISH' }> | undefined): void {
    if (packet === undefined || this.#state === 'closed' || this.#life.isSevered) return;
    this.#isHeld = true;
    let isAcknowledged = false;
    this.#events.message(packet.topic, packet.payload, packet.retain, () => {
      if (isAcknowledged || this.#state === 'closed' || this.#life.isSevered) return;
      isAcknowledged = true;
      this.#isHeld = false;
      this.#wire.send('broker', { kind: 'PUBACK', id: packet.id });
      if (this.#inbox.length > 0) {
        this.#isHeld = true;
        this.#loop.schedule(this.#loop.nowMs, `link ${this.#name} next message`, () =>
          this.#handOver(this.#inbox.shift()),
        );
      }
    });
  }

  #end(): Promise<void> {
    if (this.#goodbye !== undefined) return this.#goodbye.promise;
    const goodbye = this.#loop.opening<void>(this.#life, `link ${this.#name} end`);
    this.#goodbye = goodbye;
    if (this.#state === 'closed') goodbye.resolve();
    else {
      this.#wire.send('broker', { kind: 'DISCONNECT' });
      this.#takeBack.push(
        this.#loop.schedule(this.#loop.nowMs + GOODBYE_MS, `link ${this.#name} goodbye timeout`, () => {
          this.#wire.leave('client', 'dropped');
          this.#closed('ended');
        }),
      );
    }
    return goodbye.promise;
  }

  #drop(): void {
    if (this.#state === 'closed' || this.#life.isSevered) return;
    this.#wire.leave('client', 'dropped');
    this.#inbox.clear();
    this.#loop.schedule(this.#loop.nowMs, `link ${this.#name} dropped`, () => this.#closed('dropped'));
  }

  #severed(): void {
    this.#wire.leave('client', 'severed');
    for (const takeBack of this.#takeBack) takeBack();
    this.#state = 'closed';
  }

  /** The connection is gone. Everything unanswered is in doubt. */
  #closed(reason: string): void {
    if (this.#state === 'closed') return;
    const wasOpen = this.#state === 'open';
    this.#state = 'closed';
    for (const takeBack of this.#takeBack) takeBack();
    this.#inbox.clear();
    const lost = (): LinkLost => new LinkLost(`The connection ended: ${reason}`);
    for (const { opening } of this.#requests.clear()) opening.reject(lost());
    if (wasOpen) this.#events.closed(reason);
    else this.#opening.reject(new LinkRefused(`The connection failed: ${reason}`));
    this.#goodbye?.resolve();
  }
}

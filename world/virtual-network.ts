import type { Random } from './random.ts';
import type { Trace } from './trace.ts';
import type { VirtualBroker } from './virtual-broker.ts';
import type { VirtualLoop } from './virtual-loop.ts';
import { type Climate, Wire } from './virtual-wire.ts';

/** The one-way delays with which connections are born, drawn for each: a mobile network on a good day. */
export interface NetworkSettings {
  readonly minDelayMs: number;
  readonly maxDelayMs: number;
  readonly jitterMs: number;
}

const GOOD_DAY: NetworkSettings = { minDelayMs: 10, maxDelayMs: 60, jitterMs: 10 };

/** All wires between clients and the broker, and the weather on them. */
export class VirtualNetwork {
  readonly #loop: VirtualLoop;
  readonly #random: Random;
  readonly #trace: Trace;
  readonly #broker: VirtualBroker;
  readonly #settings: NetworkSettings;
  readonly #overall: Climate = calm();
  readonly #climates = new Map<string, Climate>();
  readonly #wires = new Map<string, Set<Wire>>();
  readonly #connectionCounts = new Map<string, number>();

  constructor(
    loop: VirtualLoop,
    random: Random,
    trace: Trace,
    broker: VirtualBroker,
    settings: NetworkSettings = GOOD_DAY,
  ) {
    this.#loop = loop;
    this.#random = random;
    this.#trace = trace;
    this.#broker = broker;
    this.#settings = settings;
  }

  /** A new connection of `clientId` to the broker; a broker that is down resets it. */
  connect(clientId: string): Wire {
    const count = (this.#connectionCounts.get(clientId) ?? 0) + 1;
    this.#connectionCounts.set(clientId, count);
    const stream = this.#random.stream(`network/${clientId}/${count}`);
    const wires = this.#wires.get(clientId) ?? new Set<Wire>();
    this.#wires.set(clientId, wires);
    const wire = new Wire({
      loop: this.#loop,
      trace: this.#trace,
      stream,
      clientId,
      climate: this.climate(clientId),
      latency: {
        delayMs: stream.whole(this.#settings.minDelayMs, this.#settings.maxDelayMs),
        jitterMs: this.#settings.jitterMs,
      },
      whenOver: () => wires.delete(wire),
    });
    wires.add(wire);
    if (this.#broker.isDown) {
      this.#loop.schedule(this.#loop.nowMs, `mqtt ${clientId} refused`, () =>
        wire.reset('connection refused'),
      );
    } else wire.attach('broker', this.#broker.accept(wire));
    return wire;
  }

  /** The weather of `clientId`; `change` what you like in it and then call `changed`. */
  climate(clientId: string): Climate {
    let climate = this.#climates.get(clientId);
    if (climate === undefined) {
      climate = { ...this.#overall };
      this.#climates.set(clientId, climate);
    }
    return climate;
  }

  /** Tells the wires of `clientId` that their weather has changed. */
  changed(clientId: string): void {
    for (const wire of [...(this.#wires.get(clientId) ?? [])]) wire.weatherChanged();
  }

  /** Severs all connections of `clientId`; both ends know at once. */
  reset(clientId: string): void {
    for (const wire of [...(this.#wires.get(clientId) ?? [])]) wire.reset('reset by peer');
  }

  /**
   * Changes the weather of everybody: of all who have been here, and of those to come.
   */
  changeAll(change: (climate: Climate) => void): void {
    change(this.#overall);
    for (const clientId of this.clientIds) {
      change(this.climate(clientId));
      this.changed(clientId);
    }
  }

  /** Every client id that has ever connected or has weather of its own, in the order of its first appearance. */
  get clientIds(): readonly string[] {
    return [...new Set([...this.#connectionCounts.keys(), ...this.#climates.keys()])];
  }
}

function calm(): Climate {
  return { latency: undefined, isHalfOpen: false, isStalled: false, pubacksToLose: 0, pubacksToWithhold: 0 };
}

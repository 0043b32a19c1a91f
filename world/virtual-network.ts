import { type Climate, type Conditions, calm, type Layer, type Pick, worsen } from './climate.ts';
import type { Random } from './random.ts';
import type { Trace } from './trace.ts';
import type { VirtualBroker } from './virtual-broker.ts';
import type { VirtualLoop } from './virtual-loop.ts';
import { Wire } from './virtual-wire.ts';

/** The one-way delays with which connections are born, drawn for each: a mobile network on a good day. */
export interface NetworkSettings {
  readonly minDelayMs: number;
  readonly maxDelayMs: number;
  readonly jitterMs: number;
}

const GOOD_DAY: NetworkSettings = { minDelayMs: 10, maxDelayMs: 60, jitterMs: 10 };

/** Where weather is: what was set by hand, the layers on top of it, and what both come to. */
interface Sky {
  hand: Conditions;
  readonly layers: Set<Layer>;
  readonly climate: Climate;
}

/** All wires between clients and the broker, and the weather on them. */
export class VirtualNetwork {
  readonly #loop: VirtualLoop;
  readonly #random: Random;
  readonly #trace: Trace;
  readonly #broker: VirtualBroker;
  readonly #settings: NetworkSettings;
  /** The weather of everybody, with which newcomers begin. */
  readonly #overall: Sky = clearSky();
  readonly #skies = new Map<string, Sky>();
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

  get nowMs(): number {
    return this.#loop.nowMs;
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
      climate: this.#sky(clientId).climate,
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

  /** Severs all connections of these clients; both ends know at once. Undefined: everybody's. */
  reset(clientId: string | undefined): void {
    for (const one of this.#those(clientId))
      for (const wire of [...(this.#wires.get(one) ?? [])]) wire.reset('reset by peer');
  }

  /** Changes what is set by hand for a client, or (undefined) for everybody who is here or is to come. */
  set(clientId: string | undefined, change: (hand: Conditions) => void): void {
    this.#change(clientId, (sky) => change(sky.hand));
  }

  /** How many of the next PUBACKs to a client, or to everybody, are lost in that manner. */
  losePubacks(clientId: string | undefined, how: 'pubacksToLose' | 'pubacksToWithhold', count: number): void {
    for (const sky of this.#skiesOf(clientId)) sky.climate[how] = count;
  }

  /** Lays a layer on a client, or on everybody who is here or is to come. */
  lay(clientId: string | undefined, layer: Layer): void {
    this.#change(clientId, ({ layers }) => layers.add(layer));
  }

  /** Takes a layer away wherever it lies. */
  lift(clientId: string | undefined, layer: Layer): void {
    this.#change(clientId, ({ layers }) => layers.delete(layer));
  }

  /** Has the next messages that match picked out of the connections of a client, or of everybody: together. */
  pick(clientId: string | undefined, pick: Pick): void {
    for (const { climate } of this.#skiesOf(clientId)) climate.picks.push(pick);
  }

  /** Picks no more. */
  unpick(clientId: string | undefined, pick: Pick): void {
    for (const { climate } of this.#skiesOf(clientId)) {
      const at = climate.picks.indexOf(pick);
      if (at >= 0) climate.picks.splice(at, 1);
    }
  }

  /** Every client id that has ever connected or has weather of its own, in the order of its first appearance. */
  get clientIds(): readonly string[] {
    return [...this.#skies.keys()];
  }

  #change(clientId: string | undefined, change: (sky: Sky) => void): void {
    for (const sky of this.#skiesOf(clientId)) change(sky);
    for (const one of this.#those(clientId)) {
      const { hand, layers, climate } = this.#sky(one);
      Object.assign(climate, copied(hand));
      for (const layer of layers) worsen(climate, layer);
      for (const wire of [...(this.#wires.get(one) ?? [])]) wire.weatherChanged();
    }
  }

  #those(clientId: string | undefined): readonly string[] {
    return clientId === undefined ? this.clientIds : [clientId];
  }

  #skiesOf(clientId: string | undefined): readonly Sky[] {
    return clientId === undefined ? [this.#overall, ...this.#skies.values()] : [this.#sky(clientId)];
  }

  #sky(clientId: string): Sky {
    const there = this.#skies.get(clientId);
    if (there !== undefined) return there;
    const { hand, layers, climate } = this.#overall;
    const sky: Sky = {
      hand: copied(hand),
      layers: new Set(layers),
      climate: { ...climate, ...copied(hand), picks: [...climate.picks] },
    };
    for (const layer of layers) worsen(sky.climate, layer);
    this.#skies.set(clientId, sky);
    return sky;
  }
}

function clearSky(): Sky {
  return {
    hand: calm(),
    layers: new Set(),
    climate: { ...calm(), pubacksToLose: 0, pubacksToWithhold: 0, picks: [] },
  };
}

function copied(conditions: Conditions): Conditions {
  return { ...conditions, bitsPerS: { ...conditions.bitsPerS }, traces: { ...conditions.traces } };
}

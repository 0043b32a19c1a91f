import type {
  Conditions,
  Latency,
  Layer,
  LayerName,
  LayerSettings,
  Passing,
  Pick,
  PickAct,
} from './climate.ts';
import type { Trace } from './trace.ts';
import type { VirtualBroker } from './virtual-broker.ts';
import type { VirtualNetwork } from './virtual-network.ts';

/** Takes back what was laid. Calling it twice does nothing. */
export type Ending = () => void;

/** Whom the weather meets: one client id, or everybody, also those who are yet to connect. */
export type Target = string | typeof EVERYBODY;

export const EVERYBODY = Symbol('everybody');

/** How a link is where coverage is poor, beside its signal: of a cell's edge in GPRS. */
export const POOR_COVERAGE = {
  csq: 5,
  latency: { delayMs: 600, jitterMs: 900 },
  bandwidth: { upBitsPerS: 9_600, downBitsPerS: 14_400 },
} as const;

/**
 * What networks do to connections, at the grain at which TCP lets it happen. Every call takes effect at once.
 *
 * What lasts is laid (`lay`) and ended by the function that comes back; what is laid twice stays as long as one of
 * them does, and the harsher is in force (climate.ts). `halfOpen`, `stall` and `latency` are one switch each beside
 * all that is laid.
 */
export class Weather {
  readonly #network: VirtualNetwork;
  readonly #broker: VirtualBroker;
  readonly #trace: Trace;

  constructor(network: VirtualNetwork, broker: VirtualBroker, trace: Trace) {
    this.#network = network;
    this.#broker = broker;
    this.#trace = trace;
  }

  /**
   * Lays weather that lasts until the returned function is called.
   *
   * - `half_open`: packets are lost and neither end is told until it misses the keep-alive; what lost some is reset
   *   at the end.
   * - `stall`: packets wait and arrive, in order, at the end (toxiproxy: timeout 0).
   * - `latency`: one way; jitter is drawn for each packet, their order stays.
   * - `bandwidth`: packets (with 40 bytes of TCP and IP) queue behind each other; at a change what is not on its way
   *   yet begins anew.
   * - `reset_peer`: each connection is reset `afterMs` after it was made, at once where that is past.
   * - `slow_close`: who closes a connection is heard by the other end that much later, at the latest when that one
   *   misses the keep-alive.
   * - `limit_data`: each connection is reset by the packet with which more than `bytes` have passed, both directions
   *   together, since it was made or since this was laid. That packet does not arrive.
   * - `trace`: packets pass as on a recorded link (cellular-trace.ts), which begins to play when it is laid.
   *
   * Pings take part in none of it.
   */
  lay<Name extends LayerName>(
    name: Name,
    target: Target,
    setting: Omit<LayerSettings[Name], 'sinceMs'>,
  ): Ending {
    const layer = { name, setting: { ...setting, sinceMs: this.#network.nowMs } } as unknown as Layer;
    const said = 'trace' in setting ? { ...setting, trace: undefined } : setting;
    this.#note(name, target, said);
    this.#network.lay(idOf(target), layer);
    return once(() => {
      this.#note(`${name}-over`, target, said);
      this.#network.lift(idOf(target), layer);
    });
  }

  /** Poor coverage as the connection feels it; the signal is the box's own matter (`POOR_COVERAGE.csq`). */
  poorCoverage(target: Target): Ending {
    const endings = [
      this.lay('latency', target, POOR_COVERAGE.latency),
      this.lay('bandwidth', target, POOR_COVERAGE.bandwidth),
    ];
    return () => {
      for (const end of endings) end();
    };
  }

  /**
   * Picks the next `count` messages that match out of the connections of the target, of everybody together where
   * that is the target. The first pick that matches a message has it. What loses a message may make connections
   * fall, so a count may be used up over several of them. The returned function picks no more.
   */
  pick(
    target: Target,
    how: { readonly matches: (passing: Passing) => boolean; readonly count: number; readonly act: PickAct },
  ): Ending {
    const { matches, count, act } = how;
    this.#note('pick', target, { count, act });
    const pick: Pick = { matches, act, left: count };
    this.#network.pick(idOf(target), pick);
    return once(() => this.#network.unpick(idOf(target), pick));
  }

  /** Severs the connections there are; both ends know at once. */
  cut(target: Target): void {
    this.#note('cut', target, {});
    this.#network.reset(idOf(target));
  }

  /** The broker forgets the session of a client, with what waits in it, and severs its connection; its will goes out. */
  loseSession(clientId: string): void {
    this.#note('session-lost', clientId, {});
    this.#broker.loseSession(clientId);
  }

  /**
   * Another connection with the same client id takes over (MQTT 3.1.1 section 3.1.4) and leaves at once: the older
   * one is closed by the broker, its will goes out, and a clean session is gone.
   */
  takeOver(clientId: string): void {
    this.#note('take-over', clientId, {});
    this.#broker.takeOver(clientId);
  }

  halfOpen(target: Target, isOn: boolean): void {
    this.#set('half-open', target, { isOn }, (hand) => {
      hand.isHalfOpen = isOn;
    });
  }

  stall(target: Target, isOn: boolean): void {
    this.#set('stall', target, { isOn }, (hand) => {
      hand.isStalled = isOn;
    });
  }

  /** One way; undefined: the latency that each connection was born with. */
  latency(target: Target, latency: Latency | undefined): void {
    this.#set('latency', target, { latency }, (hand) => {
      hand.latency = latency;
    });
  }

  /** The next `count` PUBACKs to the client are lost, each together with its connection. */
  losePuback(target: Target, count = 1): void {
    this.#note('lose-puback', target, { count });
    this.#network.losePubacks(idOf(target), 'pubacksToLose', count);
  }

  /** The next `count` PUBACKs to the client are never sent; the connection lives on. */
  withholdPuback(target: Target, count = 1): void {
    this.#note('withhold-puback', target, { count });
    this.#network.losePubacks(idOf(target), 'pubacksToWithhold', count);
  }

  #set(what: string, target: Target, setting: object, change: (hand: Conditions) => void): void {
    this.#note(what, target, setting);
    this.#network.set(idOf(target), change);
  }

  #note(what: string, target: Target, setting: object): void {
    const whom = target === EVERYBODY ? 'everybody' : String(target);
    const detail = `${whom} ${JSON.stringify(setting)}`;
    this.#trace.note({ who: 'weather', what: what.replaceAll('_', '-'), detail });
  }
}

function idOf(target: Target): string | undefined {
  return target === EVERYBODY ? undefined : String(target);
}

function once(end: () => void): Ending {
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    end();
  };
}

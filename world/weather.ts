import type { Trace } from './trace.ts';
import type { VirtualNetwork } from './virtual-network.ts';
import type { Climate, Latency } from './virtual-wire.ts';

/** Whom the weather meets: one client id, or everybody, also those who are yet to connect. */
export type Target = string | typeof EVERYBODY;

export const EVERYBODY = Symbol('everybody');

/** Each fault with the setting that it takes. */
export interface FaultSettings {
  /** Severs the connections there are; both ends know at once (toxiproxy: reset_peer). */
  readonly cut: Record<string, never>;
  /** On: packets are lost and neither end is told until it misses the keep-alive. Off: what lost some is reset. */
  readonly half_open: { readonly isOn: boolean };
  /** On: packets wait; off: they arrive, in order (toxiproxy: timeout 0). */
  readonly stall: { readonly isOn: boolean };
  /** One way; undefined: the latency that each connection was born with. */
  readonly latency: { readonly latency: Latency | undefined };
  /** The next `count` PUBACKs to the client are lost, each together with its connection. */
  readonly lose_puback: { readonly count: number };
  /** The next `count` PUBACKs to the client are never sent; the connection lives on. */
  readonly withhold_puback: { readonly count: number };
}

export type FaultName = keyof FaultSettings;

type Fault<Name extends FaultName> = (climate: Climate, setting: FaultSettings[Name]) => void;

/** What each fault changes in a climate. */
const FAULTS: { readonly [Name in FaultName]: Fault<Name> } = {
  // Over as soon as it has happened: the climate stays as it was.
  cut: () => undefined,
  half_open: (climate, { isOn }) => {
    climate.isHalfOpen = isOn;
  },
  stall: (climate, { isOn }) => {
    climate.isStalled = isOn;
  },
  latency: (climate, { latency }) => {
    climate.latency = latency;
  },
  lose_puback: (climate, { count }) => {
    climate.pubacksToLose = count;
  },
  withhold_puback: (climate, { count }) => {
    climate.pubacksToWithhold = count;
  },
};

/** What networks do to connections, at the grain at which TCP lets it happen. Every call takes effect at once. */
export class Weather {
  readonly #network: VirtualNetwork;
  readonly #trace: Trace;

  constructor(network: VirtualNetwork, trace: Trace) {
    this.#network = network;
    this.#trace = trace;
  }

  /** Applies a fault by its name, as a scenario does. */
  apply<Name extends FaultName>(name: Name, target: Target, setting: FaultSettings[Name]): void {
    const whom = target === EVERYBODY ? 'everybody' : String(target);
    this.#trace.note({
      who: 'weather',
      what: name.replaceAll('_', '-'),
      detail: `${whom} ${JSON.stringify(setting)}`,
    });
    if (name === 'cut') {
      const clientIds = target === EVERYBODY ? this.#network.clientIds : [String(target)];
      for (const clientId of clientIds) this.#network.reset(clientId);
    }
    const fault: Fault<Name> = FAULTS[name];
    if (target === EVERYBODY) this.#network.changeAll((climate) => fault(climate, setting));
    else {
      fault(this.#network.climate(String(target)), setting);
      this.#network.changed(String(target));
    }
  }

  cut(target: Target): void {
    this.apply('cut', target, {});
  }

  halfOpen(target: Target, isOn: boolean): void {
    this.apply('half_open', target, { isOn });
  }

  stall(target: Target, isOn: boolean): void {
    this.apply('stall', target, { isOn });
  }

  latency(target: Target, latency: Latency | undefined): void {
    this.apply('latency', target, { latency });
  }

  losePuback(target: Target, count = 1): void {
    this.apply('lose_puback', target, { count });
  }

  withholdPuback(target: Target, count = 1): void {
    this.apply('withhold_puback', target, { count });
  }
}

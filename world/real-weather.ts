import {
  type Conditions,
  calm,
  type Latency,
  type Layer,
  type LayerName,
  type LayerSettings,
  worsen,
} from './climate.ts';
import type { RealProxy } from './real-proxy.ts';
import { type Ending, EVERYBODY, POOR_COVERAGE, type Target, type Weather } from './weather.ts';

/**
 * Connects with the box's own account, as anybody who knows it could, and leaves at once; `isForgetting`: with a clean
 * session.
 */
export type Impostor = (clientId: string, isForgetting: boolean) => void;

/**
 * The weather of world/weather.ts over sockets: the same calls, which a proxy before the MQTT broker carries out on
 * each connection by its client id. Single messages cannot be picked out of a connection that goes on: those calls
 * throw.
 */
export class RealWeather implements Pick<Weather, keyof Weather> {
  readonly #impostor: Impostor;
  readonly #layers = new Map<Target, Layer[]>();
  readonly #conditions = new Map<string, Conditions>();
  readonly #switches = new Map<string, Ending>();
  #proxy: RealProxy | undefined;

  constructor(impostor: Impostor) {
    this.#impostor = impostor;
  }

  /** The proxy asks for conditions, and the weather tells it of changes. */
  attach(proxy: RealProxy): void {
    this.#proxy = proxy;
  }

  conditionsOf(name: string): Conditions {
    let conditions = this.#conditions.get(name);
    if (conditions === undefined) {
      conditions = calm();
      for (const layer of this.#layers.get(EVERYBODY) ?? []) worsen(conditions, layer);
      for (const layer of this.#layers.get(name) ?? []) worsen(conditions, layer);
      this.#conditions.set(name, conditions);
    }
    return conditions;
  }

  lay<Name extends LayerName>(
    name: Name,
    target: Target,
    setting: Omit<LayerSettings[Name], 'sinceMs'>,
  ): Ending {
    const layer = { name, setting: { ...setting, sinceMs: Date.now() } } as unknown as Layer;
    this.#layers.set(target, [...(this.#layers.get(target) ?? []), layer]);
    this.#changed(target);
    return () => {
      const laid = this.#layers.get(target) ?? [];
      if (!laid.includes(layer)) return;
      this.#layers.set(
        target,
        laid.filter((one) => one !== layer),
      );
      this.#changed(target);
    };
  }

  poorCoverage(target: Target): Ending {
    const endings = [
      this.lay('latency', target, POOR_COVERAGE.latency),
      this.lay('bandwidth', target, POOR_COVERAGE.bandwidth),
    ];
    return () => {
      for (const end of endings) end();
    };
  }

  cut(target: Target): void {
    this.#proxy?.cut(nameOf(target));
  }

  loseSession(clientId: string): void {
    this.#impostor(clientId, true);
  }

  takeOver(clientId: string): void {
    this.#impostor(clientId, false);
  }

  halfOpen(target: Target, isOn: boolean): void {
    this.#switch('half_open', target, isOn ? {} : undefined);
  }

  stall(target: Target, isOn: boolean): void {
    this.#switch('stall', target, isOn ? {} : undefined);
  }

  latency(target: Target, latency: Latency | undefined): void {
    this.#switch('latency', target, latency);
  }

  pick(): Ending {
    return unpickable();
  }

  losePuback(): void {
    unpickable();
  }

  withholdPuback(): void {
    unpickable();
  }

  #switch<Name extends 'half_open' | 'stall' | 'latency'>(
    name: Name,
    target: Target,
    setting: LayerSettings[Name] | undefined,
  ): void {
    const key = `${name} ${String(target)}`;
    this.#switches.get(key)?.();
    this.#switches.delete(key);
    if (setting !== undefined) this.#switches.set(key, this.lay(name, target, setting));
  }

  #changed(target: Target): void {
    const name = nameOf(target);
    if (name === undefined) this.#conditions.clear();
    else this.#conditions.delete(name);
    this.#proxy?.changed(name);
  }
}

function nameOf(target: Target): string | undefined {
  return target === EVERYBODY ? undefined : String(target);
}

function unpickable(): never {
  throw new Error('No single message can be picked out of a connection over sockets that goes on.');
}

import { findPlace, valueAt } from '../language/document/place.ts';
import type { ApiAnswer } from '../testbed/port/testbed.ts';

/** A name in braces, which a value replaces. */
const PLACEHOLDER = /\{([A-Za-z0-9][\w-]*)\}/g;

/** The values that calls keep of their answers, by name and vehicle; 0 for a call without a vehicle. */
export class RememberedAnswers {
  readonly #values = new Map<string, { latest: unknown; readonly byVehicle: Map<number, unknown> }>();

  /** Keeps a part of an answer. Returns why there is none, in a sentence; undefined: it is kept. */
  keep(
    name: string,
    path: string,
    vehicle: number,
    { status, headers, body }: ApiAnswer,
  ): string | undefined {
    const answer = { status, headers, body };
    const found = findPlace(answer, path);
    if (!found.ok) return `it keeps no ${name}. ${found.why}`;
    const latest = valueAt(answer, found.value);
    const known = this.#values.get(name);
    if (known === undefined) this.#values.set(name, { latest, byVehicle: new Map([[vehicle, latest]]) });
    else {
      known.latest = latest;
      known.byVehicle.set(vehicle, latest);
    }
    return undefined;
  }

  /**
   * The same value with kept values in place of names in braces. A text that is only a name becomes the value itself,
   * as the number or list that it is. A name without a value stays as it is.
   */
  fill<T>(value: T, vehicle: number | undefined): T {
    return this.#values.size === 0 ? value : (this.#filled(value, vehicle) as T);
  }

  #filled(value: unknown, vehicle: number | undefined): unknown {
    if (typeof value === 'string') return this.#filledText(value, vehicle);
    if (Array.isArray(value)) return value.map((one) => this.#filled(one, vehicle));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#filled(one, vehicle)]));
  }

  #filledText(text: string, vehicle: number | undefined): unknown {
    const [whole, only] = new RegExp(`^${PLACEHOLDER.source}$`).exec(text) ?? [];
    if (whole !== undefined && only !== undefined && this.#values.has(only))
      return this.#valueOf(only, vehicle);
    return text.replaceAll(PLACEHOLDER, (written: string, name: string) => {
      const value = this.#values.has(name) ? this.#valueOf(name, vehicle) : written;
      return typeof value === 'string' ? value : JSON.stringify(value);
    });
  }

  /** Of that vehicle, else of a call without one; without a vehicle the latest of all. */
  #valueOf(name: string, vehicle: number | undefined): unknown {
    const known = this.#values.get(name);
    if (vehicle === undefined) return known?.latest;
    const of = known?.byVehicle;
    return of?.get(of.has(vehicle) ? vehicle : 0);
  }
}

import type { CheckerFinding } from '../run/fact.ts';
import type { SimulatedVehicle } from '../testbed/port/simulated-vehicle.ts';
import type { CheckerResult } from './check.ts';
import { limits } from './limits.ts';

type ReportedFinding = Omit<CheckerFinding, 'checker'>;

/** The findings of a checker: up to `limits.findings` of each kind, and the number of the others. */
export class Findings {
  readonly #reported: ReportedFinding[] = [];
  readonly #counts = new Map<string, number>();

  /**
   * `kind`: one text for each way in which something can be wrong. `text`: a sentence that names what is
   * wrong.
   */
  add(
    kind: string,
    text: string,
    about: { readonly vehicle?: SimulatedVehicle | undefined; readonly atMs?: number } = {},
  ) {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    if (count > limits.findings) return;
    const { vehicle, atMs } = about;
    this.#reported.push({
      ...(vehicle === undefined ? {} : { vehicle: vehicle.number }),
      ...(atMs === undefined ? {} : { atMs }),
      text: `${kind}: ${text}`,
    });
  }

  result(seen: string): CheckerResult {
    const more = [...this.#counts].flatMap(([kind, count]): ReportedFinding[] =>
      count > limits.findings ? [{ text: `${kind}: and ${count - limits.findings} more` }] : [],
    );
    return { findings: [...this.#reported, ...more], seen };
  }
}

/** A vehicle's name in a sentence: its number, its id and its box. */
export function nameOf({ number, vehicleId, boxId }: SimulatedVehicle): string {
  const id = vehicleId === '' ? '' : ` ${vehicleId}`;
  return boxId === undefined ? `vehicle ${number}${id}` : `vehicle ${number}${id} (box ${boxId})`;
}

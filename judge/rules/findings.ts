import type { SimulatedVehicle } from '../evidence/simulated-vehicle.ts';
import { type Finding, failed, notSeen, passed, type Verdict } from '../verdict.ts';
import { counted } from '../wording.ts';
import { limits } from './limits.ts';

/** How many of what a checker compared: `[812, 'record']`. */
export type Compared = readonly [count: number, one: string, many?: string];

/** The findings of a checker: up to `limits.findings` of each kind, and the number of the others. */
export class Findings {
  readonly #reported: Finding[] = [];
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

  /** `not-seen` if there is no finding, and all counts of `compared` are 0. `remark`: follows the counts. */
  result(compared: readonly Compared[], remark = ''): Verdict {
    const text = `${compared.map(([...count]) => counted(...count)).join(', ')}${remark}`;
    const more = [...this.#counts].flatMap(([kind, count]): Finding[] =>
      count > limits.findings ? [{ text: `${kind}: and ${count - limits.findings} more` }] : [],
    );
    const findings = [...this.#reported, ...more];
    if (findings.length > 0) return failed(text, findings);
    return compared.some(([count]) => count > 0) ? passed(text) : nothingCompared(text);
  }
}

/** The verdict of a checker that compared nothing. `why`: what there was none of, or what prevented it. */
export function nothingCompared(why: string): Verdict {
  return notSeen(`Nothing was compared: ${why}.`);
}

/** A vehicle's name in a sentence: its number, its id and its box. */
export function nameOf({ number, vehicleId, boxId }: SimulatedVehicle): string {
  const id = vehicleId === '' ? '' : ` ${vehicleId}`;
  return boxId === undefined ? `vehicle ${number}${id}` : `vehicle ${number}${id} (box ${boxId})`;
}

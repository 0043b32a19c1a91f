import type { Finding } from '../run/fact.ts';
import type { Player } from '../run/theatre.ts';
import type { Checked } from './check.ts';
import { limits } from './limits.ts';

type Told = Omit<Finding, 'checker'>;

/** What a checker has found: so many of each kind one by one, and the others as a number. */
export class Findings {
  readonly #told: Told[] = [];
  readonly #counts = new Map<string, number>();

  /** `kind`: the same words for what is wrong in the same way. `text`: a sentence that names what it is about. */
  say(
    kind: string,
    text: string,
    about: { readonly player?: Player | undefined; readonly atMs?: number } = {},
  ) {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    if (count > limits.findings) return;
    const { player, atMs } = about;
    this.#told.push({
      ...(player === undefined ? {} : { vehicle: player.number }),
      ...(atMs === undefined ? {} : { atMs }),
      text: `${kind}: ${text}`,
    });
  }

  checked(seen: string): Checked {
    const more = [...this.#counts].flatMap(([kind, count]): Told[] =>
      count > limits.findings ? [{ text: `${kind}: and ${count - limits.findings} more` }] : [],
    );
    return { findings: [...this.#told, ...more], seen };
  }
}

/** How a sentence names a vehicle: by its number, its id and its box. */
export function nameOf({ number, vehicleId, boxId }: Player): string {
  const id = vehicleId === '' ? '' : ` ${vehicleId}`;
  return boxId === undefined ? `vehicle ${number}${id}` : `vehicle ${number}${id} (box ${boxId})`;
}

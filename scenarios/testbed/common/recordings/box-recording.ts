import type { BoxMemoryPart } from '../../../../simulator/box/box-status.ts';
import type {
  BoxHistory,
  BoxMemory,
  ConnectAttempt,
  JournalSacrifice,
  OutputMove,
  PerformedAct,
  PhoneQuestion,
} from '../../port/box-history.ts';
import { limits } from '../limits.ts';

interface KeptHistory {
  phones: PhoneQuestion[];
  moves: OutputMove[];
  connects: ConnectAttempt[];
  memories: BoxMemory[];
  acts: PerformedAct[];
  sacrifices: JournalSacrifice[];
  isWhole: boolean;
}

type ListName = Exclude<keyof KeptHistory, 'isWhole'>;

/** What boxes did and remembered during a run, by the number of the vehicle. */
export class BoxRecording {
  readonly #kept = new Map<number, KeptHistory>();

  /** Adds one entry to a list. Where there is no room, the older half of that list goes. */
  add<Name extends ListName>(vehicle: number, name: Name, entry: KeptHistory[Name][number]): void {
    const kept = this.#historyOf(vehicle);
    const list = kept[name] as (typeof entry)[];
    list.push(entry);
    if (list.length <= limits.boxEntries) return;
    list.splice(0, limits.boxEntries / 2);
    kept.isWhole = false;
  }

  /** Notes what the box has in mind after a step, where that has changed. */
  remember(vehicle: number, part: BoxMemoryPart, atMs: number): void {
    const last = this.#historyOf(vehicle).memories.at(-1);
    const names = Object.keys(part) as (keyof BoxMemoryPart)[];
    if (last !== undefined && names.every((name) => last[name] === part[name])) return;
    this.add(vehicle, 'memories', { atMs, ...part });
  }

  of(vehicle: number): BoxHistory {
    return this.#historyOf(vehicle);
  }

  #historyOf(vehicle: number): KeptHistory {
    let kept = this.#kept.get(vehicle);
    if (kept === undefined) {
      kept = { phones: [], moves: [], connects: [], memories: [], acts: [], sacrifices: [], isWhole: true };
      this.#kept.set(vehicle, kept);
    }
    return kept;
  }
}

import type {
  BoxHistory,
  BoxMemory,
  ConnectAttempt,
  JournalEviction,
  OutputMove,
  PerformedAct,
  PhoneQuestion,
} from '../../../../judge/evidence/box-history.ts';
import type { BoxMemoryPart } from '../../../../simulator/box/box-status.ts';
import { testbedLimits } from '../../../limits.ts';

interface KeptHistory {
  phones: PhoneQuestion[];
  moves: OutputMove[];
  connects: ConnectAttempt[];
  memories: BoxMemory[];
  acts: PerformedAct[];
  evictions: JournalEviction[];
  isWhole: boolean;
}

type ListName = Exclude<keyof KeptHistory, 'isWhole'>;

/** The actions and the memory of boxes during a run, by the number of the vehicle. */
export class BoxRecording {
  readonly #kept = new Map<number, KeptHistory>();

  /** Adds one entry to a list. Without room, the older half of that list is dropped. */
  add<Name extends ListName>(vehicle: number, name: Name, entry: KeptHistory[Name][number]): void {
    const kept = this.#historyOf(vehicle);
    const list = kept[name] as (typeof entry)[];
    list.push(entry);
    if (list.length <= testbedLimits.boxEntries) return;
    list.splice(0, testbedLimits.boxEntries / 2);
    kept.isWhole = false;
  }

  /** Records the memory of the box after a step, if it has changed. */
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
      kept = { phones: [], moves: [], connects: [], memories: [], acts: [], evictions: [], isWhole: true };
      this.#kept.set(vehicle, kept);
    }
    return kept;
  }
}

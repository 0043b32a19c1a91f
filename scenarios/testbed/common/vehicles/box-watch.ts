import type { OutputAction } from '../../../../judge/evidence/evidence.ts';
import type { FactKind } from '../../../../judge/evidence/fact.ts';
import { COMMANDS } from '../../../../protocol/commands.ts';
import { type BoxStatus, boxMemoryOf, boxStatusAt } from '../../../../simulator/box/box-status.ts';
import type { FleetBox } from '../../../../simulator/box/fleet-box.ts';
import type { BoxState } from '../../../../simulator/firmware/core/state.ts';
import { limits as boxLimits } from '../../../../simulator/limits.ts';
import type { Time } from '../../../../world/time/time.ts';
import { testbedLimits } from '../../../limits.ts';
import type { BoxRecording } from '../recordings/box-recording.ts';
import type { ClockRecording } from '../recordings/clock-recording.ts';
import { JournalWatch } from '../recordings/journal-watch.ts';
import { type BoxLook, BoxLooks, type BoxProbe } from './box-looks.ts';
import type { PlannedVehicle } from './planned-vehicle.ts';

/** What is kept of one box during the run. */
interface WatchedBox {
  session: BoxStatus['session'];
  /** Records in the journal: as recorded last, now, and at most. */
  noted: number;
  held: number;
  most: number;
  /** The state of its firmware; undefined: it has taken no step yet. */
  state: BoxState | undefined;
  readonly outputActions: OutputAction[];
}

/** The required data of a vehicle. */
type Numbered = Pick<PlannedVehicle, 'number'>;
type Watched = Numbered & Partial<Pick<PlannedVehicle, 'boxPlan'>>;

const NAMES: ReadonlyMap<number, string> = new Map(COMMANDS.map(({ code, name }) => [code, name]));

/** Watches all boxes during a run, and records facts: changes of the session, and of the journal's depth. */
export class BoxWatch {
  readonly #time: Time;
  readonly #noteFact: (fact: FactKind) => void;
  readonly #clockErrors: ClockRecording | undefined;
  readonly #history: BoxRecording | undefined;
  readonly #watched = new Map<number, WatchedBox>();
  readonly #looks = new BoxLooks<number>();

  /** The recordings of clock errors and of what boxes do; absent: no checker reads them. */
  constructor(
    time: Time,
    noteFact: (fact: FactKind) => void,
    clockErrors?: ClockRecording | undefined,
    history?: BoxRecording | undefined,
  ) {
    this.#time = time;
    this.#noteFact = noteFact;
    this.#clockErrors = clockErrors;
    this.#history = history;
  }

  watch({ number, boxPlan }: Watched, box: FleetBox): void {
    const watched: WatchedBox = {
      session: 'off',
      noted: 0,
      held: 0,
      most: 0,
      state: undefined,
      outputActions: [],
    };
    this.#watched.set(number, watched);
    const capacity = boxPlan?.journalRecords ?? boxLimits.journalRecords;
    const journalWatch = this.#history === undefined ? undefined : new JournalWatch(capacity);
    box.watcher = {
      stepped: (state) => {
        watched.state = state;
        this.#looks.stepped(number, state);
        this.#clockErrors?.record(number, state, this.#time.nowMs());
        this.#history?.remember(number, boxMemoryOf(state), this.#time.nowMs());
        const eviction = journalWatch?.stepped(state);
        if (eviction !== undefined)
          this.#history?.add(number, 'evictions', { atMs: this.#time.nowMs(), ...eviction });
        const { session, heldRecords: held } = boxStatusAt(state);
        if (session !== watched.session) {
          watched.session = session;
          this.#noteFact({ kind: 'connectivity', vehicle: number, state: session });
        }
        if (held === watched.held) return;
        watched.held = held;
        if (held > watched.most) watched.most = held;
        if (!isNoteworthy(watched.noted, held)) return;
        watched.noted = held;
        this.#noteFact({ kind: 'journal', vehicle: number, held });
      },
      acted: (requestId, commandCode) => {
        const command = NAMES.get(commandCode) ?? String(commandCode);
        watched.outputActions.push({ atMs: this.#time.nowMs(), requestId, command });
      },
      moved: (move) => this.#history?.add(number, 'moves', { atMs: this.#time.nowMs(), ...move }),
    };
  }

  /** Probes these boxes until it is stopped. */
  probe(vehicles: readonly Numbered[], probeOf: () => BoxProbe): BoxLook {
    const numbers = vehicles.map(({ number }) => number);
    return this.#looks.begin(numbers, probeOf, (number) => this.#watched.get(number)?.state);
  }

  outputActions(vehicle: Numbered): readonly OutputAction[] {
    return this.#watched.get(vehicle.number)?.outputActions ?? [];
  }

  session(vehicle: Numbered): BoxStatus['session'] {
    return this.#watched.get(vehicle.number)?.session ?? 'off';
  }

  heldRecords(vehicle: Numbered): number {
    return this.#watched.get(vehicle.number)?.held ?? 0;
  }

  /** The most records that any journal has held. */
  mostRecords(vehicle: Numbered): number {
    return this.#watched.get(vehicle.number)?.most ?? 0;
  }
}

/** Records only a journal that fills up, and when it is empty again; not one that is emptied after each record. */
function isNoteworthy(noted: number, held: number): boolean {
  if (held === 0) return noted > 0;
  return Math.abs(held - noted) >= Math.max(testbedLimits.journalStep, noted * testbedLimits.journalShare);
}

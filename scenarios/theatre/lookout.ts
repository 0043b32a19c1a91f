import { COMMANDS } from '../../protocol/commands.ts';
import type { FleetBox } from '../../simulator/fleet.ts';
import { type Glance, glanceAt } from '../../simulator/glance.ts';
import type { Time } from '../../world/time.ts';
import type { Acted } from '../run/evidence.ts';
import type { FactKind } from '../run/fact.ts';
import type { Actor } from './actor.ts';
import type { ClockBook } from './clock-book.ts';
import { limits } from './limits.ts';

/** What is kept of one box while it works. */
interface Seen {
  session: Glance['session'];
  /** Records in the journal: as told last, now, and at the most. */
  told: number;
  held: number;
  most: number;
  readonly acted: Acted[];
}

const NAMES: ReadonlyMap<number, string> = new Map(COMMANDS.map(({ code, name }) => [code, name]));

/** Watches all boxes while they work, and tells what is a fact: a session that changes, a journal that fills. */
export class Lookout {
  readonly #time: Time;
  readonly #tell: (fact: FactKind) => void;
  readonly #clocks: ClockBook | undefined;
  readonly #seen = new Map<number, Seen>();

  /** `clocks`: the book in which the clocks are kept; absent: nobody reads it. */
  constructor(time: Time, tell: (fact: FactKind) => void, clocks?: ClockBook | undefined) {
    this.#time = time;
    this.#tell = tell;
    this.#clocks = clocks;
  }

  watch({ number }: Actor, box: FleetBox): void {
    const seen: Seen = { session: 'off', told: 0, held: 0, most: 0, acted: [] };
    this.#seen.set(number, seen);
    box.watcher = {
      stepped: (state) => {
        this.#clocks?.take(number, state, this.#time.nowMs());
        const { session, held } = glanceAt(state);
        if (session !== seen.session) {
          seen.session = session;
          this.#tell({ kind: 'connectivity', vehicle: number, state: session });
        }
        if (held === seen.held) return;
        seen.held = held;
        if (held > seen.most) seen.most = held;
        if (!isTelling(seen.told, held)) return;
        seen.told = held;
        this.#tell({ kind: 'journal', vehicle: number, held });
      },
      acted: (requestId, commandCode) => {
        const command = NAMES.get(commandCode) ?? String(commandCode);
        seen.acted.push({ atMs: this.#time.nowMs(), requestId, command });
      },
    };
  }

  acted(actor: Actor): readonly Acted[] {
    return this.#seen.get(actor.number)?.acted ?? [];
  }

  session(actor: Actor): Glance['session'] {
    return this.#seen.get(actor.number)?.session ?? 'off';
  }

  held(actor: Actor): number {
    return this.#seen.get(actor.number)?.held ?? 0;
  }

  /** The most records that the journal has held. */
  most(actor: Actor): number {
    return this.#seen.get(actor.number)?.most ?? 0;
  }
}

/** A journal that is emptied at once after each record is no news; one that fills is, and that it is empty again. */
function isTelling(told: number, held: number): boolean {
  if (held === 0) return told > 0;
  return Math.abs(held - told) >= Math.max(limits.journalStep, told * limits.journalShare);
}

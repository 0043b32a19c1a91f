/** What may happen next. */
export interface Move {
  /** Says what it is; unique among the moves of one state. */
  readonly name: string;
  /** How many deviations from what is usual (faults, delays) it is: only so many may happen in all. */
  readonly deviations: number;
}

/** A system in one state. What it does of itself has ended when the promise callbacks have run. */
export interface Stage {
  /** What may happen next. The first one that is no deviation is the calm move: it lets the system come to rest. */
  moves(): readonly Move[];
  make(move: string): void;
  /** States of the same key go on alike: times and numbers in it are relative. */
  key(): string;
  /** What is wrong in this state. */
  violation(): string | undefined;
  /** Whether the system has all that it promises for calm times. */
  isAsPromised(): boolean;
  /** The time that has passed. */
  readonly passedMs: number;
}

export interface Exploration {
  open(): Stage;
  /** The most deviations of one history. */
  readonly deviations: number;
  /** The most states: beyond it the exploration fails. */
  readonly states: number;
  /** How long the system may take to be as promised, for good, when only calm moves are made. */
  readonly calmWithinMs: number;
  /** Of the moves that lead to a known state one in so many is checked: what follows must be what followed before. */
  readonly checkedOneIn: number;
}

export interface Explored {
  readonly states: number;
  /** Moves that were made from these states: each is an interleaving of its own up to there. */
  readonly moves: number;
  /** The moves of the longest history without a repeated state. */
  readonly longest: number;
  /** The longest time until the system was as promised. */
  readonly calmAfterMs: number;
  /** How often two histories that lead to the same key were compared in what follows. */
  readonly compared: number;
}

interface State {
  readonly before: State | undefined;
  readonly by: string;
  readonly moves: readonly Move[];
  readonly length: number;
  readonly isAsPromised: boolean;
  /** Keys of the states that the moves lead to. */
  readonly next: Map<string, string>;
  /** How long the calm move takes. */
  calmMs: number;
}

/** A move still to be made. */
interface Edge {
  readonly from: State;
  readonly move: Move;
  /** Is in the state `from`: one move of each state need not repeat its history. */
  stage: Stage | undefined;
}

/** Histories that are repeated side by side: one turn of the event loop is one step of all of them. */
const SIDE_BY_SIDE = 256;

/**
 * Visits every state that a system comes to by at most `deviations` of its deviations, and any number of its other
 * moves, those with fewer deviations first, and shorter histories first. A state is not stored but repeated from the
 * beginning. Throws with the shortest history of the first violation; of a state from which calm moves do not lead
 * to what is promised; and of two histories of the same key that go on differently.
 */
export async function explore(exploration: Exploration): Promise<Explored> {
  return new Explorer(exploration).run();
}

class Explorer {
  readonly #exploration: Exploration;
  readonly #states = new Map<string, State>();
  #moves = 0;
  #compared = 0;
  /** By the deviations of the history with them. */
  readonly #queues: Edge[][];

  constructor(exploration: Exploration) {
    this.#exploration = exploration;
    this.#queues = Array.from({ length: exploration.deviations + 1 }, () => []);
  }

  async run(): Promise<Explored> {
    const root = this.#exploration.open();
    await turn();
    this.#arrive(root, root.key(), { before: undefined, by: '', deviations: 0 });
    for (const [deviations, queue] of this.#queues.entries()) {
      for (let at = 0; at < queue.length; ) {
        const edges = queue.slice(at, at + SIDE_BY_SIDE);
        at += edges.length;
        const stages = await this.#stagesOf(edges);
        const beforeMs = stages.map(({ passedMs }) => passedMs);
        for (const [index, { move }] of edges.entries()) stages[index]?.make(move.name);
        await turn();
        const known: { readonly state: State; readonly stage: Stage; readonly path: readonly string[] }[] =
          [];
        for (const [index, { from, move }] of edges.entries()) {
          const stage = stages[index];
          if (stage === undefined) continue;
          this.#moves += 1;
          const key = stage.key();
          from.next.set(move.name, key);
          if (move === calmMove(from.moves)) from.calmMs = stage.passedMs - (beforeMs[index] ?? 0);
          const state = this.#arrive(stage, key, { before: from, by: move.name, deviations });
          if (state !== undefined && this.#moves % this.#exploration.checkedOneIn === 0)
            known.push({ state, stage, path: [...historyOf(from), move.name] });
        }
        await this.#compare(known);
      }
    }
    return {
      states: this.#states.size,
      moves: this.#moves,
      longest: [...this.#states.values()].reduce((most, { length }) => Math.max(most, length), 0),
      calmAfterMs: this.#calmAfterMs(),
      compared: this.#compared,
    };
  }

  /** Notes a state that is new. Returns the known one if it is not. */
  #arrive(
    stage: Stage,
    key: string,
    {
      before,
      by,
      deviations,
    }: { readonly before: State | undefined; readonly by: string; readonly deviations: number },
  ): State | undefined {
    const violation = stage.violation();
    if (violation !== undefined)
      throw new Error(told(violation, before === undefined ? [] : [...historyOf(before), by]));
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    if (this.#states.size >= this.#exploration.states)
      throw new Error(`There are more than ${this.#exploration.states} states.`);
    const moves = stage.moves();
    const state: State = {
      before,
      by,
      moves,
      length: before === undefined ? 0 : before.length + 1,
      isAsPromised: stage.isAsPromised(),
      next: new Map(),
      calmMs: 0,
    };
    this.#states.set(key, state);
    const calm = calmMove(moves);
    for (const move of moves)
      this.#queues[deviations + move.deviations]?.push({
        from: state,
        move,
        stage: move === calm ? stage : undefined,
      });
    return undefined;
  }

  /** Stages in the states that these moves begin in. */
  async #stagesOf(edges: readonly Edge[]): Promise<readonly Stage[]> {
    const stages = edges.map(({ stage }) => stage ?? this.#exploration.open());
    const histories = edges.map(({ from, stage }) => (stage === undefined ? historyOf(from) : []));
    for (const edge of edges) edge.stage = undefined;
    const steps = Math.max(0, ...histories.map(({ length }) => length));
    await turn();
    for (let step = 0; step < steps; step += 1) {
      for (const [index, history] of histories.entries()) {
        const move = history[step];
        if (move !== undefined) stages[index]?.make(move);
      }
      await turn();
    }
    return stages;
  }

  /** Makes one more move from known states, and compares where it leads. */
  async #compare(
    known: readonly { readonly state: State; readonly stage: Stage; readonly path: readonly string[] }[],
  ): Promise<void> {
    const compared = known.flatMap(({ state, stage, path }) => {
      const followed = [...state.next];
      const one = followed[this.#compared % Math.max(1, followed.length)];
      if (one === undefined) return [];
      this.#compared += 1;
      stage.make(one[0]);
      return [{ move: one[0], expected: one[1], state, stage, path }];
    });
    await turn();
    for (const { move, expected, state, stage, path } of compared) {
      const key = stage.key();
      if (key !== expected) {
        const other = [...historyOf(state), move].join('; ');
        throw new Error(
          told(`These histories came to the same state, and then to ${key}\nand to ${expected}:\n${other}`, [
            ...path,
            move,
          ]),
        );
      }
    }
  }

  /** Follows the calm moves from each state to where they go in a circle. */
  #calmAfterMs(): number {
    const afterMs = new Map<State, number>();
    for (const first of this.#states.values()) {
      const way: State[] = [];
      const seen = new Set<State>();
      let state: State | undefined = first;
      while (state !== undefined && !afterMs.has(state) && !seen.has(state)) {
        way.push(state);
        seen.add(state);
        state = this.#calmNext(state);
      }
      if (state === undefined) {
        // There is nothing left to do.
        const last = way.at(-1);
        if (last?.isAsPromised === false) throw this.#neverCalm(last, []);
      } else if (seen.has(state)) {
        const circle = way.splice(way.indexOf(state));
        const amiss = circle.find(({ isAsPromised }) => !isAsPromised);
        if (amiss !== undefined) throw this.#neverCalm(amiss, circle);
        for (const one of circle) afterMs.set(one, 0);
      }
      for (const one of way.toReversed()) {
        const next = this.#calmNext(one);
        const laterMs = next === undefined ? 0 : (afterMs.get(next) ?? 0);
        const ms = one.isAsPromised && laterMs === 0 ? 0 : laterMs + one.calmMs;
        if (ms > this.#exploration.calmWithinMs)
          throw new Error(told(`Calm moves take ${ms} ms until all is as promised.`, historyOf(one)));
        afterMs.set(one, ms);
      }
    }
    return [...afterMs.values()].reduce((most, ms) => Math.max(most, ms), 0);
  }

  #calmNext(state: State): State | undefined {
    const move = calmMove(state.moves);
    return move === undefined ? undefined : this.#states.get(state.next.get(move.name) ?? '');
  }

  #neverCalm(state: State, circle: readonly State[]): Error {
    const moves = circle.map(({ moves }) => calmMove(moves)?.name).join('; ');
    return new Error(
      told(`Calm moves alone never lead to what is promised, but in a circle: ${moves}.`, historyOf(state)),
    );
  }
}

const calmMove = (moves: readonly Move[]): Move | undefined =>
  moves.find(({ deviations }) => deviations === 0);

function historyOf(state: State): readonly string[] {
  const moves: string[] = [];
  for (let one: State = state; one.before !== undefined; one = one.before) moves.push(one.by);
  return moves.toReversed();
}

const told = (what: string, history: readonly string[]): string =>
  `${what}\nAfter ${history.length} moves:\n${history.map((move) => `  ${move}`).join('\n')}`;

/** Lets all promise callbacks run. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

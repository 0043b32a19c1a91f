import type { Store } from '../../../../backend/store/port/store.ts';
import type { StoreOutcome } from '../../../../backend/store/port/store-calls.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { waitUntil } from '../../run/external-services.ts';
import { MEDIUM_FAULTS, type PostgresFault } from '../postgres-fault-proxy.ts';
import { START_MS } from '../store-rows.ts';
import { type Contents, comparable, differences } from './contents.ts';
import { Draw, type DrawnCall, type PositionOf } from './draw.ts';
import { drawGroup, READERS, WRITERS } from './draw-group.ts';
import { explained, shown } from './explain.ts';
import { firstCalls } from './first-calls.ts';
import type { Group } from './groups.ts';
import { answerOf, type EndedCall, endingOf } from './outcome.ts';
import { openSqliteBeside, type SqliteBeside } from './sqlite-beside.ts';
import type { Stage } from './stage.ts';

/** What has come of a run: so that a test sees that it has met what it is for. */
export interface Tally {
  /** Whether a run makes at its end what was not called until then. */
  readonly isToCallAll: boolean;
  calls: number;
  failed: number;
  unknown: number;
  readonly faults: Map<PostgresFault, number>;
  readonly called: Set<string>;
}

export function newTally(isToCallAll = false): Tally {
  return { isToCallAll, calls: 0, failed: 0, unknown: 0, faults: new Map(), called: new Set() };
}

/**
 * Makes the calls on PostgreSQL, and compares results and rows after each group with those of SQLite in some order; at the
 * end all that reads. Throws with what differs.
 */
export async function compareStores(stage: Stage, given: readonly Group[], tally: Tally): Promise<void> {
  const store = await stage.open();
  const run = new Comparison(stage, store, tally);
  try {
    await run.begin();
    for (const group of given) await run.play(group);
    await run.end();
  } finally {
    run.close();
    stage.proxy.plan(new Map());
    await store.close();
  }
}

class Comparison {
  readonly #stage: Stage;
  readonly #store: Store;
  readonly #tally: Tally;
  #nowMs = START_MS;
  #beside: SqliteBeside;
  #lastId = 0;
  readonly #positions = { postgres: new Map<string, number>(), sqlite: new Map<string, number>() };

  constructor(stage: Stage, store: Store, tally: Tally) {
    this.#stage = stage;
    this.#store = store;
    this.#tally = tally;
    this.#beside = openSqliteBeside(undefined, () => this.#nowMs);
  }

  async begin(): Promise<void> {
    await this.#stage.setClock(this.#nowMs);
    const first = firstCalls();
    for (const call of first) await this.#compare([call]);
  }

  async play({ theme, seeds, passedMs, faults, altered }: Group): Promise<void> {
    this.#nowMs += passedMs;
    await this.#stage.setClock(this.#nowMs);
    if (altered !== undefined) await this.#stage.alterTable(altered);
    const contents = this.#beside.contents();
    const draws = seeds.map((one) => this.#draw(one, contents));
    const calls = drawGroup(seededRandom(theme).stream('theme'), draws);
    this.#stage.proxy.plan(new Map(faults.map(({ request, fault: one }) => [request, one])));
    await this.#compare(calls);
  }

  /** What no run has called yet, if there is something that it could be about. */
  async #callOthers(): Promise<void> {
    for (const [index, write] of [1, 2, 3, 4, 5, 6].flatMap(() => WRITERS).entries()) {
      const call = write(this.#draw(index + 1_000 * this.#lastId, this.#beside.contents()));
      if (call !== undefined && !this.#tally.called.has(`${call.part}.${call.name}`))
        await this.#compare([call]);
    }
  }

  /** Everything that reads, several times with other parameters, and the rules of consistency. */
  async end(): Promise<void> {
    this.#stage.proxy.plan(new Map());
    if (this.#tally.isToCallAll) await this.#callOthers();
    const contents = this.#beside.contents();
    for (const [index, read] of [...READERS, ...READERS].entries()) {
      const call = read(this.#draw(index, contents));
      if (call !== undefined) await this.#compareRead(call);
    }
    const [here, there] = [await this.#stage.inconsistencies(), await this.#beside.inconsistencies()];
    if (here.join() !== there.join()) throw new Error(`PostgreSQL: ${here.join()}\nSQLite: ${there.join()}`);
  }

  close(): void {
    this.#beside.close();
  }

  #draw(from: number, contents: Contents): Draw {
    return new Draw(seededRandom(from).stream('call'), contents, this.#nowMs, () => {
      this.#lastId += 1;
      return this.#lastId;
    });
  }

  async #compareRead(call: DrawnCall): Promise<void> {
    const { part, name } = call;
    const there = this.#beside.carryOut({
      part,
      name,
      parameters: call.parameters(this.#positionIn('sqlite')),
    });
    const [here, expected] = [
      answerOf(call, await this.#carryOut(call), false),
      answerOf(call, there, false),
    ];
    if (here !== expected)
      throw new Error(`At the end ${shown(call)}\n  PostgreSQL: ${here}\n  SQLite:     ${expected}`);
  }

  async #compare(calls: readonly DrawnCall[]): Promise<void> {
    const ended: EndedCall[] = [];
    await Promise.all(
      calls.map(async (call) => {
        const outcome = await this.#carryOut(call);
        ended.push({ call, ending: endingOf(call, outcome, calls.length > 1) });
      }),
    );
    await waitUntil(() => this.#stage.proxy.isQuiet());
    this.#count(ended);
    const contents = await this.#stage.contents();
    const before = {
      bytes: this.#beside.serialize(),
      nowMs: () => this.#nowMs,
      positionOf: this.#positionIn('sqlite'),
    };
    const after = this.#explained(before, ended, contents);
    this.#beside.close();
    this.#beside = after;
    this.#notePositions('postgres', contents);
    this.#notePositions('sqlite', after.contents());
  }

  #explained(
    before: Parameters<typeof explained>[0],
    calls: readonly EndedCall[],
    contents: Contents,
  ): SqliteBeside {
    try {
      return explained(before, { calls, contents });
    } catch (error) {
      const faults = this.#stage.proxy.happened().map((one) => `${one.fault} at ${one.request}`);
      throw new Error(`${(error as Error).message}\nFaults: ${faults.join(', ') || 'none'}`);
    }
  }

  /** A call fails by a fault of the medium alone, and each makes one call fail. */
  #count(ended: readonly EndedCall[]): void {
    const happened = this.#stage.proxy.happened();
    const tally = this.#tally;
    for (const { fault: one } of happened) tally.faults.set(one, (tally.faults.get(one) ?? 0) + 1);
    for (const { ending } of ended) {
      tally.calls += 1;
      if (ending.kind === 'failed') tally.failed += 1;
      if (ending.kind === 'unknown') tally.unknown += 1;
    }
    const failed = ended.filter(({ ending }) => ending.kind !== 'answered');
    const reasons = happened.flatMap((one) => {
      if (!MEDIUM_FAULTS.has(one.fault)) return [];
      return one.fault === 'refused' ? [one, one] : [one];
    });
    if (failed.length > reasons.length)
      throw new Error(
        `More calls have failed than the medium: ${failed.map(({ call, ending }) => `${shown(call)} ${JSON.stringify(ending)}`).join('\n')}`,
      );
  }

  async #carryOut(call: DrawnCall): Promise<StoreOutcome> {
    this.#tally.called.add(`${call.part}.${call.name}`);
    const members = this.#store[call.part] as unknown as Readonly<
      Record<string, (...parameters: readonly unknown[]) => Promise<unknown>>
    >;
    const make = members[call.name];
    if (make === undefined) throw new Error(`There is no call ${call.part}.${call.name}.`);
    try {
      return { value: await make(...call.parameters(this.#positionIn('postgres'))) };
    } catch (error) {
      return { error };
    }
  }

  #positionIn(database: 'postgres' | 'sqlite'): PositionOf {
    return (messageId) => this.#positions[database].get(messageId) ?? 0;
  }

  #notePositions(database: 'postgres' | 'sqlite', { outbox, outbox_dropped: dropped }: Contents): void {
    for (const row of [...outbox, ...dropped])
      this.#positions[database].set(String(row['message_id']), Number(row['position']));
  }
}

/** What only one of the two has of an empty store. */
export async function emptyDifferences(stage: Stage): Promise<readonly string[]> {
  const store = await stage.open();
  const beside = openSqliteBeside(undefined, () => START_MS);
  const lines = differences(
    comparable(await stage.contents(), START_MS),
    comparable(beside.contents(), START_MS),
  );
  beside.close();
  await store.close();
  return lines;
}

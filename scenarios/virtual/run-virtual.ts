import { Stuck } from '../../world/virtual-loop.ts';
import { runInSandbox } from '../../world/virtual-sandbox.ts';
import { booksOf } from '../checkers/books.ts';
import { CHECKS } from '../checkers/checks.ts';
import type { Scenario } from '../language/scenario.ts';
import { RunStuck } from '../run/deeds.ts';
import type { RunOptions } from '../run/options.ts';
import type { Outcome } from '../run/outcome.ts';
import { RunRecord } from '../run/record.ts';
import { cutShort, errorText, type RunParts, run } from '../run/run.ts';
import { limits } from '../theatre/limits.ts';
import { openVirtualTheatre, type VirtualTheatreOptions } from './theatre.ts';

export interface VirtualRunOptions extends RunOptions, Pick<VirtualTheatreOptions, 'seed' | 'plantedBug'> {
  /** Absent: those of the product. */
  readonly checks?: RunParts['checks'];
}

/**
 * Plays a scenario in a virtual world of its own. Stuck and crashed are outcomes, with the reason; rejects only with
 * what the gate throws. Runs in one process know nothing of one another, one after the other or at once.
 */
export async function runVirtual(scenario: Scenario, options: VirtualRunOptions = {}): Promise<Outcome> {
  const { seed = scenario.seed, plantedBug, readFile, witness, checks = CHECKS } = options;
  const played: Scenario = { ...scenario, seed };
  // What its closing does is no part of a run, nor of its hash.
  let isOver = false;
  const hash = (): string => {
    isOver = true;
    return theatre.hash();
  };
  const theatre = openVirtualTheatre(played, {
    books: booksOf(played.always),
    ...(plantedBug === undefined ? {} : { plantedBug }),
    ...(readFile === undefined ? {} : { readFile }),
    ...(witness === undefined
      ? {}
      : {
          sink: (line: string) => {
            if (!isOver) witness.line(line);
          },
        }),
  });
  const world = theatre.virtualWorld;
  const startMs = theatre.time.nowMs();
  const record = new RunRecord(theatre.time);
  const gate = guarded(options.gate);
  world.loop.gate = gate.ask;
  try {
    const ran = await runInSandbox(world, () =>
      world.run(
        () =>
          run(played, {
            theatre,
            checks,
            ...(witness === undefined ? {} : { witness }),
            record,
          }),
        { withinMs: longestMs(played) },
      ),
    );
    return { ...ran, hash: hash() };
  } catch (error) {
    if (gate.thrown()?.error === error) throw error;
    const isStuck = error instanceof Stuck || error instanceof RunStuck;
    const reason = isStuck ? error.message : errorText(error);
    return {
      ...cutShort(played, theatre, record, startMs, isStuck ? 'stuck' : 'crashed', reason),
      hash: hash(),
    };
  } finally {
    await theatre.close();
  }
}

/** The gate, and what it threw: that is whoever asked for the run, and no crash. */
function guarded(gate: RunOptions['gate']) {
  let thrown: { readonly error: unknown } | undefined;
  const keep = (error: unknown): never => {
    thrown = { error };
    throw error;
  };
  const ask =
    gate === undefined
      ? undefined
      : (nextMs: number): Promise<void> | undefined => {
          try {
            return gate(nextMs)?.catch(keep);
          } catch (error) {
            return keep(error);
          }
        };
  return { ask, thrown: () => thrown };
}

/** So much virtual time a run may take: all of its steps one after the other, and a day more. */
function longestMs({ steps, limits: { durationMs = 0, healMs } }: Scenario): number {
  const ofSteps = steps.map(
    ({ when, forMs = 0, withinMs }) => ('atMs' in when ? when.atMs : when.delayMs) + forMs + withinMs,
  );
  return ofSteps.reduce((sum, ms) => sum + ms, durationMs + healMs + limits.slackMs);
}

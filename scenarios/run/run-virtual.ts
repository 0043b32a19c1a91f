import { recordingsOf } from '../../judge/checkers.ts';
import { CHECKS } from '../../judge/rules/checks.ts';
import { Stuck } from '../../world/loop/virtual-loop.ts';
import { runInSandbox } from '../../world/sandbox/virtual-sandbox.ts';
import type { Scenario } from '../language/document/scenario.ts';
import { testbedLimits } from '../limits.ts';
import { openVirtualTestbed, type VirtualTestbedOptions } from '../testbed/virtual/virtual-testbed.ts';
import type { RunOptions } from './options.ts';
import type { RunOutcome } from './outcome.ts';
import { RunRecord } from './record.ts';
import { cutShort, errorWithName, type RunParts, run } from './run.ts';
import { RunStuck } from './step-actions.ts';

export interface VirtualRunOptions extends RunOptions, Pick<VirtualTestbedOptions, 'seed' | 'plantedBug'> {
  /** Absent: the product's own. */
  readonly checks?: RunParts['checks'];
}

/**
 * Runs a scenario in a new virtual world. Stuck and crashed are outcomes, with the reason; it rejects only
 * with errors of the gate. Runs in one process are independent, in sequence or concurrently.
 */
export async function runVirtual(scenario: Scenario, options: VirtualRunOptions = {}): Promise<RunOutcome> {
  const { seed = scenario.seed, plantedBug, readFile, observer, checks = CHECKS } = options;
  const played: Scenario = { ...scenario, seed };
  // Closing is not part of the run or its hash.
  let isOver = false;
  const hash = (): string => {
    isOver = true;
    return testbed.hash();
  };
  const testbed = openVirtualTestbed(played, {
    recordings: recordingsOf(played.always),
    ...(plantedBug === undefined ? {} : { plantedBug }),
    ...(readFile === undefined ? {} : { readFile }),
    ...(observer === undefined
      ? {}
      : {
          onTraceLine: (line: string) => {
            if (!isOver) observer.onTraceLine(line);
          },
        }),
  });
  const world = testbed.virtualWorld;
  const startMs = testbed.time.nowMs();
  const record = new RunRecord(testbed.time);
  const gate = watchedGate(options.gate);
  world.loop.beforeAdvance = gate.ask;
  try {
    const result = await runInSandbox(world, () =>
      world.run(
        () =>
          run(played, {
            testbed,
            checks,
            ...(observer === undefined ? {} : { observer }),
            record,
          }),
        { withinMs: longestMs(played) },
      ),
    );
    return { ...result, hash: hash() };
  } catch (error) {
    if (gate.thrown()?.error === error) throw error;
    const isStuck = error instanceof Stuck || error instanceof RunStuck;
    const reason = isStuck ? error.message : errorWithName(error);
    return {
      ...cutShort(played, testbed, record, startMs, isStuck ? 'stuck' : 'crashed', reason),
      hash: hash(),
    };
  } finally {
    await testbed.close();
  }
}

/** Calls the gate and keeps its error, which ends the run and does not count as a crash. */
function watchedGate(gate: RunOptions['gate']) {
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

/** The most virtual time that a run may take: all of its steps in sequence, and a day more. */
function longestMs({ steps, limits: { durationMs = 0, healMs } }: Scenario): number {
  const ofSteps = steps.map(
    ({ when, forMs = 0, withinMs }) => ('atMs' in when ? when.atMs : when.delayMs) + forMs + withinMs,
  );
  return ofSteps.reduce((sum, ms) => sum + ms, durationMs + healMs + testbedLimits.slackMs);
}

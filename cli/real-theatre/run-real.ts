import { booksOf } from '../../scenarios/checkers/books.ts';
import { CHECKS } from '../../scenarios/checkers/checks.ts';
import type { Scenario } from '../../scenarios/language/scenario.ts';
import { notIn } from '../../scenarios/language/worlds.ts';
import { RunStuck } from '../../scenarios/run/deeds.ts';
import type { RunOptions } from '../../scenarios/run/options.ts';
import type { Outcome } from '../../scenarios/run/outcome.ts';
import { RunRecord } from '../../scenarios/run/record.ts';
import { cutShort, run } from '../../scenarios/run/run.ts';
import type { Theatre } from '../../scenarios/run/theatre.ts';
import { Failure } from '../failure.ts';
import { limits } from './limits.ts';
import { openRealTheatre } from './theatre.ts';

/**
 * Plays a scenario over sockets and waits as long as it takes. Stuck and crashed are outcomes, with the reason; rejects
 * with a `Failure` where the scenario has words that this world does not know, and with what the gate throws. Whatever
 * happens, everything is closed then. `slackMs`: so much longer than all its steps, one after the other, it may take.
 */
export async function runReal(
  scenario: Scenario,
  options: RunOptions = {},
  { slackMs }: { readonly slackMs: number } = limits,
): Promise<Outcome> {
  const unknown = notIn('real', scenario);
  if (unknown.length > 0)
    throw new Failure(`${scenario.name} cannot be run in the real world:\n${unknown.join('\n')}`);
  const { gate, readFile, witness } = options;
  const theatre = await openRealTheatre(scenario, {
    books: booksOf(scenario.always),
    ...(readFile === undefined ? {} : { readFile }),
  });
  const startMs = theatre.time.nowMs();
  const record = new RunRecord(theatre.time);
  const ending = new Ending();
  try {
    const ran = run(scenario, {
      theatre,
      checks: CHECKS,
      ...(witness === undefined ? {} : { witness }),
      record,
    });
    return await Promise.race([
      ran,
      ending.late(theatre, longestMs(scenario) + slackMs),
      ending.asked(theatre, gate),
    ]);
  } catch (error) {
    if (ending.thrown?.error === error) throw error;
    const isStuck = error instanceof RunStuck;
    const reason = error instanceof Error ? error.message : String(error);
    return cutShort(scenario, theatre, record, startMs, isStuck ? 'stuck' : 'crashed', reason);
  } finally {
    await theatre.close();
  }
}

/** What ends a run before its own end. Its alarms go with the theatre. */
class Ending {
  /** What the gate threw: that is whoever asked for the run, and no crash. */
  thrown: { readonly error: unknown } | undefined;

  /** Rejects with `RunStuck` when the run has taken longer than it may, with what it waits for. */
  late({ time, evidence }: Theatre, mostMs: number): Promise<never> {
    return new Promise((_, reject) => {
      const stuck = (waits: string): void =>
        reject(new RunStuck(`It has taken ${Math.round(mostMs / 1_000)} s and is not over. ${waits}`));
      time.alarm(time.nowMs() + mostMs, () => {
        time.alarm(time.nowMs() + limits.lastWordMs, () => stuck('What it waits for cannot be told.'));
        evidence.pending().then(
          (pending) => stuck(pending.map(({ what, reason }) => `${what}: ${reason}`).join('; ')),
          (error: unknown) => stuck(`What it waits for cannot be told: ${String(error)}`),
        );
      });
    });
  }

  /** Asks the gate again and again; rejects with what it throws or rejects with. */
  asked({ time }: Theatre, gate: RunOptions['gate']): Promise<never> {
    return new Promise((_, reject) => {
      if (gate === undefined) return;
      const ask = async (): Promise<void> => {
        try {
          await gate(time.nowMs());
          time.alarm(time.nowMs() + limits.gateMs, () => void ask());
        } catch (error) {
          this.thrown = { error };
          reject(error);
        }
      };
      void ask();
    });
  }
}

/** All of its steps one after the other, and the time to heal. */
function longestMs({ steps, limits: { durationMs = 0, healMs } }: Scenario): number {
  const ofSteps = steps.map(
    ({ when, forMs = 0, withinMs }) => ('atMs' in when ? when.atMs : when.delayMs) + forMs + withinMs,
  );
  return ofSteps.reduce((sum, ms) => sum + ms, durationMs + healMs);
}

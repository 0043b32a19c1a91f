import { recordingsOf } from '../../judge/checkers.ts';
import { CHECKS } from '../../judge/rules/checks.ts';
import type { Scenario } from '../../scenarios/language/document/scenario.ts';
import { unsupportedIn } from '../../scenarios/language/document/worlds.ts';
import type { RunOptions } from '../../scenarios/run/options.ts';
import type { RunOutcome } from '../../scenarios/run/outcome.ts';
import { RunRecord } from '../../scenarios/run/record.ts';
import { cutShort, run } from '../../scenarios/run/run.ts';
import { RunStuck } from '../../scenarios/run/step-actions.ts';
import type { Testbed } from '../../scenarios/testbed/port/testbed.ts';
import { errorText } from '../../world/error-text.ts';
import { CommandError } from '../shared/command-error.ts';
import { limits } from './limits.ts';
import { openRealTestbed } from './real-testbed.ts';

/**
 * Plays a scenario over sockets, for as long as it takes. Stuck and crashed are outcomes, with the reason; rejects with
 * a `CommandError` where the scenario has words that this world does not know, and with what the gate throws.
 * Everything is closed in any case. `slackMs`: how much longer it may take than all its steps, one after the other.
 */
export async function runReal(
  scenario: Scenario,
  options: RunOptions = {},
  { slackMs }: { readonly slackMs: number } = limits,
): Promise<RunOutcome> {
  const unknown = unsupportedIn('real', scenario);
  if (unknown.length > 0)
    throw new CommandError(`${scenario.name} cannot be run in the real world:\n${unknown.join('\n')}`);
  const { gate, readFile, observer } = options;
  const testbed = await openRealTestbed(scenario, {
    recordings: recordingsOf(scenario.always),
    ...(readFile === undefined ? {} : { readFile }),
  });
  const startMs = testbed.time.nowMs();
  const record = new RunRecord(testbed.time);
  const runEnd = new RunEnd();
  try {
    const ran = run(scenario, {
      testbed,
      checks: CHECKS,
      ...(observer === undefined ? {} : { observer }),
      record,
    });
    return await Promise.race([
      ran,
      runEnd.late(testbed, longestMs(scenario) + slackMs),
      runEnd.asked(testbed, gate),
    ]);
  } catch (error) {
    if (runEnd.thrown?.error === error) throw error;
    const isStuck = error instanceof RunStuck;
    const reason = errorText(error);
    return cutShort(scenario, testbed, record, startMs, isStuck ? 'stuck' : 'crashed', reason);
  } finally {
    await testbed.close();
  }
}

/** Aborts a run before its own end. Its alarms are cancelled with the testbed. */
class RunEnd {
  /** What the gate threw: the caller's reason, and no crash. */
  thrown: { readonly error: unknown } | undefined;

  /** Rejects with `RunStuck` when the run has timed out, with what it waits for. */
  late({ time, evidence }: Testbed, mostMs: number): Promise<never> {
    return new Promise((_, reject) => {
      const stuck = (waits: string): void =>
        reject(new RunStuck(`It has taken ${Math.round(mostMs / 1_000)} s and is not over. ${waits}`));
      time.alarm(time.nowMs() + mostMs, () => {
        time.alarm(time.nowMs() + limits.lastWordMs, () => stuck('What it waits for is not known.'));
        evidence.pending().then(
          (pending) => stuck(pending.map(({ what, reason }) => `${what}: ${reason}`).join('; ')),
          (error: unknown) => stuck(`What it waits for is not known: ${String(error)}`),
        );
      });
    });
  }

  /** Polls the gate; rejects with what it throws or rejects with. */
  asked({ time }: Testbed, gate: RunOptions['gate']): Promise<never> {
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

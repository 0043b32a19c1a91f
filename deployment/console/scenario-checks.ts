import type { ScenarioMistake } from '../../console/stream/scenarios.ts';
import { ownModels } from '../../protocol/models/known-models.ts';
import { startThread, type Thread, ThreadEnded, ThreadRefused } from '../../world/threads/real-thread.ts';
import { limits } from '../shared/limits.ts';
import type { CheckThreadSettings } from './scenario-check-thread.ts';

/** Checks scenarios for the console. */
export interface ScenarioChecks {
  /**
   * What is wrong with a scenario; a check that takes too long is aborted, and says so. Checks that arrive meanwhile
   * wait.
   */
  mistakesIn(text: string): Promise<readonly ScenarioMistake[]>;
  /** Aborts the current check; waiting and later ones do not run. */
  close(): void;
}

type CheckThread = Thread<string, readonly ScenarioMistake[]>;

/**
 * Checks on a separate thread: a large scenario, or one with many variations, takes seconds, and the service runs on
 * this event loop. The thread starts with the first check, and again after a check that was aborted after `checkMs`. It
 * has one text at a time, so that aborting a check affects no other one.
 */
export function scenarioChecks(checkMs: number = limits.consoleCheckMs): ScenarioChecks {
  let current: { readonly thread: Promise<CheckThread>; readonly ending: AbortController } | undefined;
  let lastCheck: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  function start() {
    const ending = new AbortController();
    const settings: CheckThreadSettings = { models: ownModels() };
    const thread = startThread<string, readonly ScenarioMistake[]>(
      './scenario-check-thread',
      import.meta.url,
      settings,
      ending.signal,
    );
    return { thread, ending };
  }

  async function check(text: string): Promise<readonly ScenarioMistake[]> {
    if (isClosed) return noCheck('The check was not made: the console ends.');
    current ??= start();
    const { thread, ending } = current;
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      const checking = await thread;
      timer = setTimeout(() => ending.abort(), checkMs);
      return await checking.ask(text);
    } catch (error) {
      // An error in the thread's answer does not end the thread.
      if (error instanceof ThreadEnded || error instanceof ThreadRefused) current = undefined;
      if (!(error instanceof ThreadEnded)) throw error;
      if (isClosed) return noCheck('The check was ended: the console ends.');
      return noCheck(
        ending.signal.aborted
          ? `The check took more than ${checkMs / 1_000} s and was ended. Make the scenario smaller: its variations and expressions take the most time.`
          : `The check failed: ${error.message}`,
      );
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    mistakesIn(text) {
      const checked = lastCheck.then(() => check(text));
      lastCheck = checked.catch(() => undefined);
      return checked;
    },
    close() {
      isClosed = true;
      current?.ending.abort();
    },
  };
}

function noCheck(why: string): readonly ScenarioMistake[] {
  return [{ line: 1, column: 1, text: why }];
}

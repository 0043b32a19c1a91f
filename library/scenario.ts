import '#supported-node';
import { inputText } from '../deployment/input/input-file.ts';
import { rejectingAtCaller } from './caller.ts';
import { playedScenario, resultOf } from './play-scenario.ts';
import type { ScenarioResult, ScenarioRunOptions } from './scenario-result.ts';

export type { ScenarioFailure, ScenarioResult, ScenarioRunOptions } from './scenario-result.ts';

/**
 * Runs the scenario of a file in the virtual world: firmware and service in this process, without a socket, and hours
 * take seconds. Resolves whatever its verdict is; rejects where the file cannot be read, with all of its mistakes.
 */
export const runScenarioFile: (file: string, options?: ScenarioRunOptions) => Promise<ScenarioResult> =
  rejectingAtCaller(async (file: string, options: ScenarioRunOptions = {}) =>
    playedScenario(inputText('scenario', file), file, options).then(resultOf),
  );

/** The same of a scenario in YAML, as text; files that it names are resolved from the current folder. */
export const runScenario: (text: string, options?: ScenarioRunOptions) => Promise<ScenarioResult> =
  rejectingAtCaller((text: string, options: ScenarioRunOptions = {}) =>
    playedScenario(text, 'scenario.yaml', options).then(resultOf),
  );

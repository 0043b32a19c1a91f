import { inputText } from '../deployment/input/input-file.ts';
import { readLinkFiles } from '../deployment/input/scenario-link-files.ts';
import { loadModels, modelsArgument } from '../deployment/models/model-directory.ts';
import { printProblem } from '../scenarios/language/document/problem.ts';
import { readScenario } from '../scenarios/language/document/read.ts';
import { scenarioText } from '../scenarios/reports/text.ts';
import { runVirtual } from '../scenarios/run/run-virtual.ts';

/** The result of one run of a scenario. */
export interface ScenarioResult {
  readonly name: string;
  /** `stuck`: the run waited for something, but no further event could occur. */
  readonly verdict: 'passed' | 'failed' | 'stuck' | 'crashed';
  /** The same run again: the file and this. */
  readonly seed: number;
  /** As `boxtwin scenario run` prints it: expectations, checkers, and the events around failures. */
  readonly report: string;
  /** Of all events: two runs with one hash were the same to the byte. */
  readonly hash: string | undefined;
}

export interface ScenarioRunOptions {
  /** Replaces that of the file. */
  readonly seed?: number;
  /**
   * A folder with your own vehicle models, which the scenario may name, or one file; this process knows them from then
   * on.
   */
  readonly models?: string;
}

/**
 * Runs the scenario of a file in the virtual world: firmware and service in this process, without a socket, and hours
 * take seconds. Resolves whatever its verdict is; rejects where the file cannot be read, with all of its mistakes.
 */
export async function runScenarioFile(
  file: string,
  options: ScenarioRunOptions = {},
): Promise<ScenarioResult> {
  return runText(inputText('scenario', file), file, options);
}

/** The same of a scenario in YAML, as text; files that it names are resolved from the current folder. */
export function runScenario(text: string, options: ScenarioRunOptions = {}): Promise<ScenarioResult> {
  return runText(text, 'scenario.yaml', options);
}

async function runText(
  text: string,
  file: string,
  { seed, models }: ScenarioRunOptions,
): Promise<ScenarioResult> {
  if (models !== undefined) loadModels(models);
  const reading = readScenario(text, file);
  if (!reading.ok) throw new Error(reading.problems.map((one) => printProblem(one, text)).join('\n'));
  const { readFile: readLinkFile, problems } = readLinkFiles(reading.scenario, reading.document, text, file);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const beganMs = performance.now();
  const outcome = await runVirtual(reading.scenario, {
    readFile: readLinkFile,
    ...(seed === undefined ? {} : { seed }),
  });
  const played = {
    ...{ file, outcome, wallMs: performance.now() - beganMs },
    repeat: `npx boxtwin scenario run ${file} --seed ${outcome.seed}${modelsArgument()}`,
  };
  return {
    name: reading.scenario.name,
    verdict: outcome.verdict,
    seed: outcome.seed,
    report: scenarioText(played)
      .map(({ text: line }) => line)
      .join('\n'),
    hash: outcome.hash,
  };
}

import { readFile } from 'node:fs/promises';
import { printProblem } from '../../scenarios/language/document/problem.ts';
import { readScenario } from '../../scenarios/language/document/read.ts';
import { scenarioText } from '../../scenarios/reports/text.ts';
import { runVirtual } from '../../scenarios/testbed/virtual/run-virtual.ts';
import { readLinkFiles } from '../commands/scenario/scenario-link-files.ts';
import { loadModels, modelsArgument } from '../models/model-directory.ts';

/** What came of one run of a scenario. */
export interface ScenarioResult {
  readonly name: string;
  /** `stuck`: something was awaited, but nothing more could happen. */
  readonly verdict: 'passed' | 'failed' | 'stuck' | 'crashed';
  /** The same run again: the file and this. */
  readonly seed: number;
  /** As `boxtwin scenario run` prints it: expectations, checkers, and what happened around what failed. */
  readonly report: string;
  /** Of everything that happened: two runs with one hash were the same to the byte. */
  readonly hash: string | undefined;
}

export interface ScenarioRunOptions {
  /** In place of that of the file. */
  readonly seed?: number;
  /** A folder with vehicle models of your own, which the scenario may name, or one file; this process knows them from then on. */
  readonly models?: string;
}

/**
 * Runs the scenario of a file in the virtual world: firmware and service in this process, without a socket, and hours pass
 * in seconds. Resolves whatever its verdict is; rejects where the file cannot be read, with all that is wrong with it.
 */
export async function runScenarioFile(
  file: string,
  options: ScenarioRunOptions = {},
): Promise<ScenarioResult> {
  return runText(await readFile(file, 'utf8'), file, options);
}

/** The same of a scenario in YAML, as text; files that it names are looked for in the current folder. */
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

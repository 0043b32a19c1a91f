import { readLinkFiles } from '../deployment/input/scenario-link-files.ts';
import type { TraceFile } from '../deployment/jobs/trace-file.ts';
import { loadModels, modelsArgument } from '../deployment/models/model-directory.ts';
import { printProblem } from '../scenarios/language/document/problem.ts';
import { readScenario } from '../scenarios/language/document/read.ts';
import type { Scenario } from '../scenarios/language/document/scenario.ts';
import { failuresOf } from '../scenarios/reports/failure.ts';
import type { PlayedScenario } from '../scenarios/reports/played-scenario.ts';
import { scenarioText } from '../scenarios/reports/text.ts';
import { runVirtual } from '../scenarios/run/run-virtual.ts';
import { shellWord } from '../world/shell-word.ts';
import type { ScenarioResult, ScenarioRunOptions } from './scenario-result.ts';

/** The result of a run. */
export function resultOf(played: PlayedScenario): ScenarioResult {
  const { outcome } = played;
  return {
    name: outcome.scenario.name,
    verdict: outcome.verdict,
    seed: outcome.seed,
    failures: failuresOf(outcome).map(({ name, text, vehicle, step }) => {
      const line = step === undefined ? undefined : outcome.scenario.stepLines?.[step];
      return {
        where: vehicle === undefined ? name : `${name}, vehicle ${vehicle}`,
        text,
        ...(line === undefined ? {} : { line }),
      };
    }),
    report: reportOf(played),
    hash: outcome.hash,
  };
}

/** As `boxtwin scenario run` prints it. */
export function reportOf(played: PlayedScenario): string {
  return scenarioText(played)
    .map(({ text }) => text)
    .join('\n');
}

/** Runs it; `trace`: what writes the trace of the run. Rejects with the mistakes of the text. */
export async function playedScenario(
  text: string,
  file: string,
  { seed, models }: ScenarioRunOptions,
  trace?: (scenario: Scenario) => TraceFile,
): Promise<PlayedScenario> {
  if (models !== undefined) loadModels(models);
  const reading = readScenario(text, file);
  if (!reading.ok) throw new Error(reading.problems.map((one) => printProblem(one, text)).join('\n'));
  const { readFile: readLinkFile, problems } = readLinkFiles(reading.scenario, reading.document, text, file);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const scenario = seed === undefined ? reading.scenario : { ...reading.scenario, seed };
  const beganMs = performance.now();
  const traceFile = trace?.(scenario);
  try {
    const outcome = await runVirtual(scenario, {
      readFile: readLinkFile,
      ...(traceFile === undefined ? {} : { observer: traceFile.observer }),
    });
    traceFile?.end(outcome);
    return {
      file,
      outcome,
      wallMs: performance.now() - beganMs,
      repeat: `npx boxtwin scenario run ${shellWord(file)} --seed ${outcome.seed}${modelsArgument()}`,
    };
  } finally {
    traceFile?.close();
  }
}

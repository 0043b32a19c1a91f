import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { inputText } from '../deployment/input/input-file.ts';
import { openTraceFile } from '../deployment/jobs/trace-file.ts';
import { htmlPage } from '../scenarios/reports/html/page.ts';
import { playedScenario, reportOf, resultOf } from './play-scenario.ts';
import type { ScenarioResult, ScenarioRunOptions } from './scenario-result.ts';
import { keepResults, keptLine, removeResults, resultsFolder } from './test-results.ts';

/**
 * Runs the scenario of a file in a test. Rejects where it does not pass: with what failed in which step, the report,
 * and the folder of `test-results` in which report, trace and the command that repeats it are.
 */
export async function expectScenario(file: string, options: ScenarioRunOptions): Promise<void> {
  const folder = resultsFolder(basename(file));
  removeResults(folder);
  const text = inputText('scenario', file);
  const played = await playedScenario(text, file, options);
  if (played.outcome.verdict === 'passed') return;
  const files = {
    'report.txt': `${reportOf(played)}\n`,
    'report.html': htmlPage([played], 0),
    'trace.jsonl': await traceOf(text, file, options),
    'repeat.sh': `${played.repeat}\n`,
  };
  keepResults(folder, files);
  const result = resultOf(played);
  const error = new Error(`${failureText(result)}\n${keptLine(folder, Object.keys(files))}`);
  // Editors and reporters open the step in the file.
  const { line } = result.failures.find((one) => one.line !== undefined) ?? {};
  error.stack = `${error.name}: ${error.message}${line === undefined ? '' : `\n    at scenario (${resolve(file)}:${line}:1)`}`;
  throw error;
}

/** What failed, and in which step; then the report. */
function failureText({ name, verdict, failures, report }: ScenarioResult): string {
  const [first, ...more] = failures;
  const head =
    first === undefined ? `${name} ${verdict}` : `${name} ${verdict} at ${first.where}: ${first.text}`;
  return [`${head}${more.length === 0 ? '' : ` (and ${more.length} more)`}`, report].join('\n\n');
}

/** The trace, from the same run once more: one that passes writes none. */
async function traceOf(text: string, file: string, options: ScenarioRunOptions): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'boxtwin-trace-'));
  const trace = join(place, 'trace.jsonl');
  try {
    await playedScenario(text, file, options, (scenario) => openTraceFile(trace, scenario, 'virtual'));
    return await readFile(trace, 'utf8');
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

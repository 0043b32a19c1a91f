import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import pc from 'picocolors';
import { STANDARD_INPUT } from '../../../deployment/input/input-file.ts';
import { withLinkFilesFrom } from '../../../deployment/input/scenario-link-files.ts';
import { modelsArgument } from '../../../deployment/models/model-directory.ts';
import { CommandError } from '../../../deployment/shared/command-error.ts';
import { counted } from '../../../judge/wording.ts';
import {
  type DrawnOptions,
  type ExploreOutcome,
  explore,
  type FoundFailure,
} from '../../../scenarios/explore/explore.ts';
import type { FoundScenario } from '../../../scenarios/explore/found-file.ts';
import { countOf, printVaried } from '../../../scenarios/language/vary/vary.ts';
import { jobsOf } from '../../settings/jobs-option.ts';
import { printable } from '../../shared/output.ts';
import {
  anySeed,
  foundJson,
  foundText,
  quietFound,
  quietLine,
  untilEnded,
  writeFound,
} from '../found-report.ts';
import { FOUND_ENDING, readScenarioFiles, type ScenarioFile } from './scenario-files.ts';
import { refuseSameFiles, refuseUnwritable } from './scenario-output-files.ts';

export interface ScenarioExploreOptions {
  readonly runs: number;
  readonly seed?: number;
  readonly out?: string;
  readonly json: boolean;
  readonly quiet: boolean;
  /** The number of concurrent runs; absent: one for each core. */
  readonly jobs?: number;
}

/** Explores one scenario, writes the findings, and sets the exit code. Throws a `CommandError`. */
export async function scenarioExplore(place: string, options: ScenarioExploreOptions): Promise<void> {
  const { runs, seed = anySeed(), json, quiet } = options;
  const { files } = readScenarioFiles([place]);
  const [given] = files;
  if (given === undefined || files.length > 1)
    throw new CommandError(`explore takes one scenario, and in ${place} are ${files.length}. Name one file.`);
  const { file, scenario, readFile } = given;
  const stem = file === STANDARD_INPUT ? 'standard-input' : basename(file).replace(/\.ya?ml$/i, '');
  // What is found of a shipped story belongs to the user, not into the package.
  const folder = file === STANDARD_INPUT || existsSync(place) ? dirname(file) : '.';
  const out = options.out ?? join(folder, `${stem}${FOUND_ENDING}`);
  refuseSameFiles([out], [file]);
  refuseUnwritable(out);
  const drawn: DrawnOptions[] = [];
  let soFar: FoundFailure | undefined;
  const explored = await untilEnded(
    ({ progress: line, runner, parallel }) =>
      explore({
        ...given,
        runs,
        seed,
        runner,
        parallel,
        progress: (at) => {
          if (at.phase === 'search') {
            drawn.push(at.options);
            line.begin(scenario.name, at.run, runs);
            if (!quiet) quietLine(at.run, runs, `run ${at.run} of ${runs}: ${optionsText(at.options)}`);
          } else {
            if (soFar === undefined && !quiet) quietFound(at.found.smallest);
            soFar = at.found;
            line.begin(`${scenario.name}, run ${soFar.run}: making it smaller`);
          }
        },
      }),
    { isQuiet: json || quiet, jobs: jobsOf(options.jobs), readFile },
  );
  const found = explored?.found ?? soFar;
  const command = `npx boxtwin scenario explore ${file} --runs ${runs} --seed ${seed}${modelsArgument()}`;
  const finding: FoundScenario | undefined =
    found === undefined
      ? undefined
      : {
          ...found,
          smallest: { ...found.smallest, document: withLinkFilesFrom(found.smallest.document, file, out) },
          command,
          drawnLines: [`Run ${found.run}: ${optionsText(found.options)}`],
        };
  if (finding !== undefined) writeFound(out, finding);
  const ended = explored === undefined ? { ended: true } : {};
  if (json) {
    const result = finding === undefined ? {} : { run: found?.run, found: foundJson(out, finding) };
    const draws = drawn.map(({ draw, seed: ofRun, isReordered }) => ({ ...draw, seed: ofRun, isReordered }));
    process.stdout.write(
      `${JSON.stringify({ scenario: scenario.name, file, seed, runs: explored?.runs ?? drawn.length, ...(explored === undefined ? {} : { distinct: explored.distinct }), ...ended, draws, ...result })}\n`,
    );
  } else {
    if (explored !== undefined) process.stdout.write(`${headText(given, runs, explored)}\n`);
    if (finding !== undefined)
      process.stdout.write(`${foundText(out, finding)}\nFind it again: ${command}\n`);
    else if (explored !== undefined)
      process.stdout.write(`${pc.green('PASSED')}  every run. Again: ${command}\n`);
  }
  if (explored === undefined)
    process.stderr.write(`Ended after ${drawn.length} of ${counted(runs, 'run')} with the seed ${seed}.\n`);
  else process.exitCode = finding === undefined ? 0 : 1;
}

function headText(
  { scenario }: ScenarioFile,
  most: number,
  { runs, distinct, seed }: ExploreOutcome,
): string {
  const varied = scenario.vary.map(
    ({ path, values }) => `  ${path}: ${JSON.stringify(printVaried(values))}, ${countOf(values)} values`,
  );
  return printable(
    [
      `${scenario.name}: ${runs} of ${counted(most, 'run')}, ${distinct} of them different, seed ${seed}`,
      ...varied,
      '  the seed of the run, and the order of steps with the same time',
    ].join('\n'),
  );
}

function optionsText({ draw, seed, isReordered }: DrawnOptions): string {
  const values = Object.entries(draw).map(([path, value]) => `${path} ${JSON.stringify(value)}`);
  return [
    ...(values.length === 0 ? ['the file as it is'] : values),
    `seed ${seed}`,
    ...(isReordered ? ['steps with the same time in another order'] : []),
  ].join(', ');
}

import pc from 'picocolors';
import { modelsArgument } from '../../../deployment/models/model-directory.ts';
import { CommandError } from '../../../deployment/shared/command-error.ts';
import { counted } from '../../../judge/wording.ts';
import { cellCount } from '../../../scenarios/coverage/coverage.ts';
import type { FoundScenario } from '../../../scenarios/explore/found-file.ts';
import { sizeOf } from '../../../scenarios/explore/smaller.ts';
import { type DrawnScenario, type SwarmFound, swarm } from '../../../scenarios/explore/swarm.ts';
import type { TrialResult } from '../../../scenarios/explore/trial.ts';
import type { OperationName } from '../../../scenarios/explore/workload/operation-names.ts';
import { exploreLimits } from '../../../scenarios/limits.ts';
import { jobsOf } from '../../settings/jobs-option.ts';
import { printable } from '../../shared/output.ts';
import { anySeed, foundJson, foundText, quietFound, untilEnded, writeFound } from '../found-report.ts';
import { FOUND_ENDING } from '../scenario/scenario-files.ts';
import { refuseUnwritable } from '../scenario/scenario-output-files.ts';

export interface SwarmCommandOptions {
  /** Absent: the default number, or as many as the minutes allow. */
  readonly runs?: number;
  readonly minutes?: number;
  readonly seed?: number;
  readonly focus?: OperationName;
  readonly keepGoing: boolean;
  readonly out?: string;
  readonly json: boolean;
  readonly quiet: boolean;
  /** The number of concurrent runs; absent: one for each core. */
  readonly jobs?: number;
  /** Of a running fleet (swarm-running.ts); refused here. */
  readonly url?: string;
  readonly simulator?: string;
}

/** Runs drawn scenarios, writes the findings, and sets the exit code. Throws a `CommandError`. */
export async function swarmCommand(options: SwarmCommandOptions): Promise<void> {
  const { seed = anySeed(), json, quiet, minutes, focus, keepGoing } = options;
  if (options.url !== undefined || options.simulator !== undefined)
    throw new CommandError('--url and --simulator are of a fleet that runs: give --running with them.', 2);
  const runs =
    options.runs ?? (minutes === undefined ? exploreLimits.usualSwarmRuns : exploreLimits.mostRuns);
  if (keepGoing && options.out !== undefined)
    throw new CommandError(
      '--out names one file, and with --keep-going several may be written. Omit one.',
      2,
    );
  const place = (run: number): string => options.out ?? `swarm-${seed}-${run}${FOUND_ENDING}`;
  refuseUnwritable(place(1));
  const of = focus === undefined ? '' : ` --focus ${focus}`;
  const commandOf = (most: number): string =>
    `npx boxtwin swarm --runs ${most} --seed ${seed}${of}${modelsArgument()}`;
  const ended: EndedRun[] = [];
  const cells = new Set<string>();
  /** As far as they are shrunk: the result of a command that is ended. */
  const soFar = new Map<number, SwarmFound>();
  const beganMs = performance.now();
  const tookMs = (): number => performance.now() - beganMs;
  const done = await untilEnded(
    ({ progress: line, runner, parallel }) =>
      swarm({
        runs,
        seed,
        runner,
        parallel,
        focus,
        keepsGoing: keepGoing,
        isOver: minutes === undefined ? undefined : () => tookMs() >= minutes * 60_000,
        progress: (at) => {
          if (at.phase === 'begin') {
            const what = `swarm, seed ${seed}${ended.length === 0 ? '' : `, ${anHour(ended.length, tookMs())}, ${cellsText(cells.size)}`}`;
            line.begin(what, at.drawn.run, at.of);
          } else if (at.phase === 'shrink') {
            const { run } = at.found.drawn;
            if (!soFar.has(run) && !quiet) quietFound(at.found.smallest);
            soFar.set(run, at.found);
            line.begin(`swarm, seed ${seed}, run ${run}: making it smaller`);
          } else {
            line.end();
            const { run, options: menu, document } = at.drawn;
            if (at.tried.kind !== 'unreadable')
              for (const cell of at.tried.outcome.cells ?? []) cells.add(cell);
            ended.push({ run, end: at.tried.kind, ...(json ? { menu, document } : {}) });
            // Of very many runs only the failed ones are reported.
            if (!json && (minutes === undefined || at.tried.kind !== 'passed'))
              process.stdout.write(`${runText(at.drawn, at.tried)}\n`);
          }
        },
      }),
    { isQuiet: json || quiet, jobs: jobsOf(options.jobs) },
  );
  const findings = (done?.found ?? [...soFar.values()]).map((one) => ({
    file: place(options.out === undefined ? one.drawn.run : 1),
    command: commandOf(one.drawn.run),
    finding: {
      ...one,
      command: commandOf(one.drawn.run),
      drawnLines: [`Run ${one.drawn.run}: ${menuText(one.drawn)}`],
    } satisfies FoundScenario,
  }));
  for (const { file, finding } of findings) writeFound(file, finding);
  if (json) {
    const all = findings.map(({ file, finding }) => ({
      run: finding.drawn.run,
      ...foundJson(file, finding),
    }));
    const [first] = all;
    process.stdout.write(
      `${JSON.stringify({
        seed,
        runs: ended.length,
        cells_met: cells.size,
        cells: cellCount(),
        seeds_an_hour: Math.round((ended.length * 3_600_000) / tookMs()),
        ...(done === undefined ? { ended: true } : {}),
        drawn: ended,
        ...(first === undefined ? {} : { found: first }),
        ...(keepGoing ? { all_found: all } : {}),
      })}\n`,
    );
  } else {
    for (const { file, finding, command } of findings)
      process.stdout.write(`${foundText(file, finding)}\nFind it again: ${command}\n`);
    if (done !== undefined && (findings.length === 0 || keepGoing))
      process.stdout.write(
        `${summaryText(ended, findings.length, seed, tookMs())} It met ${cellsText(cells.size)} (boxtwin scenario coverage). Again: ${commandOf(done.runs)}\n`,
      );
  }
  if (done === undefined)
    process.stderr.write(
      `Ended after ${ended.length} of ${counted(runs, 'scenario')} with the seed ${seed}.\n`,
    );
  else process.exitCode = findings.length === 0 ? 0 : 1;
}

/** A run in the report; of `--json` with all that was drawn. */
interface EndedRun {
  readonly run: number;
  readonly end: TrialResult['kind'];
  readonly menu?: DrawnScenario['options'];
  readonly document?: DrawnScenario['document'];
}

function summaryText(ended: readonly EndedRun[], reasons: number, seed: number, tookMs: number): string {
  const failed = ended.filter(({ end }) => end !== 'passed').length;
  const verdict = reasons === 0 ? pc.green('PASSED') : pc.red('FAILED');
  const what = reasons === 0 ? '' : `, ${failed} failed for ${counted(reasons, 'reason')}`;
  return `${verdict}  ${counted(ended.length, 'scenario')}${what}, seed ${seed}, ${anHour(ended.length, tookMs)}.`;
}

/** How much of the coverage was met. */
function cellsText(met: number): string {
  return `${met.toLocaleString('en')} of ${cellCount().toLocaleString('en')} cells`;
}

function anHour(runs: number, tookMs: number): string {
  return `${Math.round((runs * 3_600_000) / Math.max(1, tookMs)).toLocaleString('en')} seeds an hour`;
}

function runText(drawn: DrawnScenario, tried: TrialResult): string {
  const { steps, vehicles } = sizeOf(drawn.document);
  return printable(
    `run ${drawn.run}: ${tried.kind}; seed ${String(drawn.document['seed'])}, ${counted(vehicles, 'vehicle')}, ${counted(steps, 'step')}\n  ${menuText(drawn)}`,
  );
}

/** All that was drawn for a run: what could happen in it. */
function menuText({ options }: DrawnScenario): string {
  const breaks = Object.entries(options.breaks).flatMap(([part, names]) =>
    names.map((name) => `${part} ${name}`),
  );
  const parts = {
    pace: [options.pace],
    work: options.operations,
    acts: options.acts,
    calls: options.calls,
    weather: options.weather,
    breaks,
  };
  return Object.entries(parts)
    .map(([kind, names]) => `${kind}: ${names.length === 0 ? 'none' : names.join(', ')}`)
    .join('; ');
}

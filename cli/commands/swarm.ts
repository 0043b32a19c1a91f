import pc from 'picocolors';
import type { FoundScenario } from '../../scenarios/explore/found-file.ts';
import { sizeOf } from '../../scenarios/explore/smaller.ts';
import { type DrawnScenario, type SwarmFound, swarm } from '../../scenarios/explore/swarm.ts';
import type { TrialResult } from '../../scenarios/explore/trial.ts';
import { counted } from '../../scenarios/language/document/counted.ts';
import { jobsOf } from '../jobs/jobs-option.ts';
import { printable } from '../shared/printable.ts';
import { anySeed, foundJson, foundText, quietFound, untilEnded, writeFound } from './found-report.ts';
import { FOUND_ENDING } from './scenario/scenario-files.ts';
import { refuseUnwritable } from './scenario/scenario-output-files.ts';

export interface SwarmCommandOptions {
  readonly runs: number;
  readonly seed?: number;
  readonly out?: string;
  readonly json: boolean;
  /** How many runs at once; absent: one for each core. */
  readonly jobs?: number;
}

/** Runs drawn scenarios, writes what was found, and sets the exit code. Throws a `CommandError`. */
export async function swarmCommand(options: SwarmCommandOptions): Promise<void> {
  const { runs, seed = anySeed(), json } = options;
  const place = (run: number): string => options.out ?? `swarm-${seed}-${run}${FOUND_ENDING}`;
  refuseUnwritable(place(1));
  const ended: { readonly drawn: DrawnScenario; readonly tried: TrialResult }[] = [];
  let soFar: SwarmFound | undefined;
  const done = await untilEnded(
    ({ progress: line, runner, parallel }) =>
      swarm({
        runs,
        seed,
        runner,
        parallel,
        progress: (at) => {
          if (at.phase === 'begin') line.begin(`swarm, seed ${seed}`, at.drawn.run, at.of);
          else if (at.phase === 'shrink') {
            if (soFar === undefined) quietFound(at.found.smallest);
            soFar = at.found;
            line.begin('making it smaller', soFar.shrinkRuns, soFar.shrinkRuns);
          } else {
            line.end();
            ended.push({ drawn: at.drawn, tried: at.tried });
            if (!json) process.stdout.write(`${runText(at.drawn, at.tried)}\n`);
          }
        },
      }),
    { isQuiet: json, jobs: jobsOf(options.jobs) },
  );
  const found = done?.found ?? soFar;
  const command = `npx boxtwin swarm --runs ${runs} --seed ${seed}`;
  const finding: FoundScenario | undefined =
    found === undefined
      ? undefined
      : { ...found, command, drawnLines: [`Run ${found.drawn.run}: ${menuText(found.drawn)}`] };
  const out = place(ended.length);
  if (finding !== undefined) writeFound(out, finding);
  if (json) {
    const drawn = ended.map(({ drawn: { run, options, document }, tried }) => ({
      run,
      menu: options,
      document,
      end: tried.kind,
    }));
    const result = finding === undefined ? {} : { found: foundJson(out, finding) };
    const ending = done === undefined ? { ended: true } : {};
    process.stdout.write(`${JSON.stringify({ seed, runs: ended.length, ...ending, drawn, ...result })}\n`);
  } else if (finding !== undefined)
    process.stdout.write(`${foundText(out, finding)}\nFind it again: ${command}\n`);
  else if (done !== undefined)
    process.stdout.write(
      `${pc.green('PASSED')}  ${counted(done.runs, 'scenario')}, seed ${seed}. Again: ${command}\n`,
    );
  if (done === undefined)
    process.stderr.write(
      `Ended after ${ended.length} of ${counted(runs, 'scenario')} with the seed ${seed}.\n`,
    );
  else process.exitCode = finding === undefined ? 0 : 1;
}

function runText(drawn: DrawnScenario, tried: TrialResult): string {
  const { steps, vehicles } = sizeOf(drawn.document);
  return printable(
    `run ${drawn.run}: ${tried.kind}; seed ${String(drawn.document['seed'])}, ${counted(vehicles, 'vehicle')}, ${counted(steps, 'step')}\n  ${menuText(drawn)}`,
  );
}

/** All that was drawn for a run: what could happen in it at all. */
function menuText({ options }: DrawnScenario): string {
  const breaks = Object.entries(options.breaks).flatMap(([part, names]) =>
    names.map((name) => `${part} ${name}`),
  );
  const parts = { acts: options.acts, calls: options.calls, weather: options.weather, breaks };
  return Object.entries(parts)
    .map(([kind, names]) => `${kind}: ${names.length === 0 ? 'none' : names.join(', ')}`)
    .join('; ');
}

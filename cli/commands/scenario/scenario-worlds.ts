import { CHECKS } from '../../../scenarios/checkers/checks.ts';
import type { WorldName } from '../../../scenarios/language/document/word-row.ts';
import { unsupportedIn } from '../../../scenarios/language/document/worlds.ts';
import type { ScenarioRunner } from '../../../scenarios/run/options.ts';
import { runVirtual } from '../../../scenarios/testbed/virtual/run-virtual.ts';
import { runReal } from '../../real-testbed/run-real.ts';
import { CommandError } from '../../shared/command-error.ts';
import type { ScenarioFile } from './scenario-files.ts';

/** The worlds that a scenario can be run in. */
const WORLDS: Readonly<Record<WorldName, ScenarioRunner>> = {
  virtual: (scenario, options) => runVirtual(scenario, { ...options, checks: CHECKS }),
  real: runReal,
};

function isWorld(name: string): name is WorldName {
  return Object.hasOwn(WORLDS, name);
}

/** Throws a `CommandError` where there is no such world. */
export function runnerOf(world: string): ScenarioRunner {
  if (isWorld(world)) return WORLDS[world];
  throw new CommandError(
    `There is no world ${JSON.stringify(world)}: --world takes ${Object.keys(WORLDS).join(' or ')}.`,
  );
}

/** Throws a `CommandError` with every step of every file that this world cannot do, so that nothing is run then. */
export function refuseOtherWorlds(world: string, files: readonly ScenarioFile[]): void {
  if (!isWorld(world)) return;
  const found = files.flatMap(({ file, scenario }) =>
    unsupportedIn(world, scenario).map((sentence) => `${file}: ${sentence}`),
  );
  if (found.length > 0)
    throw new CommandError(
      `nothing was run; leave these out, or take the other world:\n\n${found.join('\n')}`,
    );
}

/** Throws a `CommandError` where several runs at once are asked for, and only one after the other can be made. */
export function refuseJobs({
  world,
  pace,
  jobs = 1,
}: {
  readonly world: string;
  readonly pace: number;
  readonly jobs?: number;
}): void {
  if (jobs > 1 && (world === 'real' || Number.isFinite(pace)))
    throw new CommandError(
      `--jobs ${jobs} works only in the virtual world without --pace: other scenarios run one after the other. Leave it out.`,
    );
}

/** Throws a `CommandError` where a pace is given to a world that has its own. */
export function refusePace(world: string, pace: number): void {
  if (world === 'real' && Number.isFinite(pace))
    throw new CommandError(
      '--pace works only in the virtual world: the real world runs in real time. Leave it out.',
    );
}

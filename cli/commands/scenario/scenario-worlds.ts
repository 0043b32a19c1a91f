import { CommandError } from '../../../deployment/shared/command-error.ts';
import { runReal } from '../../../deployment/testbed/run-real.ts';
import { CHECKS } from '../../../judge/rules/checks.ts';
import type { WorldName } from '../../../scenarios/language/document/word-row.ts';
import { unsupportedIn } from '../../../scenarios/language/document/worlds.ts';
import type { ScenarioRunner } from '../../../scenarios/run/options.ts';
import { runVirtual } from '../../../scenarios/run/run-virtual.ts';
import type { ScenarioFile } from './scenario-files.ts';

/** The worlds in which a scenario can run. */
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

/**
 * Throws a `CommandError` with every step of every file that this world does not support, so that nothing runs then.
 */
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

/** Throws a `CommandError` where concurrent runs are requested in a world that supports only one. */
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

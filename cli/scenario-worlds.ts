import { CHECKS } from '../scenarios/checkers/checks.ts';
import type { WorldName } from '../scenarios/language/row.ts';
import { notIn } from '../scenarios/language/worlds.ts';
import type { Runner } from '../scenarios/run/options.ts';
import { runVirtual } from '../scenarios/virtual/run-virtual.ts';
import { Failure } from './failure.ts';
import { runReal } from './real-theatre/run-real.ts';
import type { ScenarioFile } from './scenario-files.ts';

/** The worlds that a scenario can be run in. */
const WORLDS: Readonly<Record<WorldName, Runner>> = {
  virtual: (scenario, options) => runVirtual(scenario, { ...options, checks: CHECKS }),
  real: runReal,
};

function isWorld(name: string): name is WorldName {
  return Object.hasOwn(WORLDS, name);
}

/** Throws a `Failure` where there is no such world. */
export function runnerOf(world: string): Runner {
  if (isWorld(world)) return WORLDS[world];
  throw new Failure(
    `There is no world ${JSON.stringify(world)}: --world takes ${Object.keys(WORLDS).join(' or ')}.`,
  );
}

/** Throws a `Failure` with every step of every file that this world cannot do, so that nothing is run then. */
export function refuseOtherWorlds(world: string, files: readonly ScenarioFile[]): void {
  if (!isWorld(world)) return;
  const found = files.flatMap(({ file, scenario }) =>
    notIn(world, scenario).map((sentence) => `${file}: ${sentence}`),
  );
  if (found.length > 0)
    throw new Failure(`nothing was run; leave these out, or take the other world:\n\n${found.join('\n')}`);
}

/** Throws a `Failure` where a pace is given to a world that has its own. */
export function refusePace(world: string, pace: number): void {
  if (world === 'real' && Number.isFinite(pace))
    throw new Failure('--pace is for the virtual world: the real one goes by the clock. Leave it out.');
}

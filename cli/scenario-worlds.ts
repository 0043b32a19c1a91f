import { CHECKS } from '../scenarios/checkers/checks.ts';
import type { Runner } from '../scenarios/run/options.ts';
import { runVirtual } from '../scenarios/virtual/run-virtual.ts';
import { Failure } from './failure.ts';

/** The worlds that a scenario can be run in. */
const WORLDS: Readonly<Record<string, Runner>> = {
  virtual: (scenario, options) => runVirtual(scenario, { ...options, checks: CHECKS }),
};

/** Throws a `Failure` where there is no such world. */
export function runnerOf(world: string): Runner {
  const runner = WORLDS[world];
  if (runner !== undefined && Object.hasOwn(WORLDS, world)) return runner;
  throw new Failure(
    `There is no world ${JSON.stringify(world)}: --world takes ${Object.keys(WORLDS).join(' or ')}.`,
  );
}

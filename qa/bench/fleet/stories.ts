import { readFileSync } from 'node:fs';
import { readScenario } from '../../../scenarios/language/document/read.ts';
import { runVirtual } from '../../../scenarios/run/run-virtual.ts';
import type { Duration } from '../measure/figures.ts';

/** One backend and several, a night, a fleet abroad, a store that fills up, crashes: a few seconds in all. */
const STORIES = [
  'half-open-night',
  'rolling-deploy',
  'wake-ups-lost',
  'store-full',
  'border',
  'crash-after-commit',
];

/** Processor seconds of some stories in the virtual world, with all checkers; loading the program does not count. */
export async function stories(count: number): Promise<Duration> {
  const scenarios = STORIES.map((name) => {
    const file = new URL(`../../../scenarios/stories/${name}.yaml`, import.meta.url);
    const reading = readScenario(readFileSync(file, 'utf8'), `${name}.yaml`);
    if (!reading.ok) throw new Error(`${name}: ${reading.problems[0]?.message}`);
    return reading.scenario;
  });
  const durations: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const began = process.cpuUsage();
    for (const scenario of scenarios) {
      const { verdict, reason = '' } = await runVirtual(scenario);
      if (verdict !== 'passed') throw new Error(`${scenario.name} has not passed, but ${verdict}. ${reason}`);
    }
    const { user, system } = process.cpuUsage(began);
    durations.push((user + system) / 1e6);
  }
  return {
    name: `processor time of ${STORIES.length} stories in the virtual world`,
    unit: 's',
    durations,
    aim: 4,
  };
}

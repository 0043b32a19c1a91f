import { cpSync, existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scriptOptions } from '../../test/support/run/script-options.ts';
import { type PlantedBug, plantedBugs } from './bug.ts';
import { type BuggyCopy, copyWith, FINDERS, type FinderName, type FinderResult, find } from './find.ts';
import { limits } from './limits.ts';

const FOLDER = dirname(fileURLToPath(import.meta.url));
/** What the script takes, and does. */
const USAGE = {
  name: 'planted',
  line: '[names] [--set first] [--finder swarm] [--runs 300] [--cpu 60] [--draws 20] [--seed 1] [--jobs 2] [--keep DIR] [--none] [--json]',
  does: `Plays the stories, explore and the swarm on a copy of the sources for each planted bug, runs the tests that import what it changes, and
prints who found it.
--runs and --cpu (seconds of CPU time) bound the swarm, --draws explore, for each story; where --seed is given several times, the next seed is
tried if the one before finds nothing.
--jobs is the number of bugs at once. --none plays them without a bug: nothing may be found.
--keep keeps the smallest failing scenario of each bug; without it the swarm makes nothing smaller.`,
};
const { values, positionals } = scriptOptions(USAGE, {
  set: { type: 'string', multiple: true, default: ['first'] },
  finder: { type: 'string', multiple: true, default: ['stories', 'explore', 'swarm'] },
  runs: { type: 'string', default: String(limits.swarmRuns) },
  draws: { type: 'string', default: String(limits.exploreDraws) },
  cpu: { type: 'string', default: String(limits.swarmCpuS) },
  seed: { type: 'string', multiple: true, default: ['1'] },
  jobs: { type: 'string', default: '2' },
  keep: { type: 'string' },
  json: { type: 'boolean', default: false },
  none: { type: 'boolean', default: false },
});
const finders = values.finder.map((name): FinderName => {
  const known = FINDERS.find((one) => one === name);
  if (known === undefined) refuse(`There is no finder ${name}; there are ${FINDERS.join(', ')}.`);
  return known as FinderName;
});
const runs = wholeOf('runs', values.runs);
const draws = wholeOf('draws', values.draws);
const cpuS = wholeOf('cpu', values.cpu);
const jobs = wholeOf('jobs', values.jobs);
const seeds = values.seed.map((given) => wholeOf('seed', given, 0));
const all = plantedBugs(FOLDER, values.set);
const bugs: readonly (PlantedBug | undefined)[] = values.none
  ? [undefined]
  : all.filter(({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)));
if (bugs.length === 0) refuse(`No planted bug is named so: ${positionals.join(' ')}.`);

const settings = { root: join(FOLDER, '../..'), runs, draws, cpuS, isShrunk: values.keep !== undefined };
const foundBy = new Map<FinderName, number>();
let foundAtAll = 0;
if (!values.json)
  process.stdout.write(`| bug | ${finders.join(' | ')} |\n|---|${finders.map(() => '---|').join('')}\n`);
const waiting = [...bugs.entries()];
await Promise.all(
  Array.from({ length: jobs }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await look(next[1]);
  }),
);
const summary = finders.map((finder) => `${finder} ${foundBy.get(finder) ?? 0}`).join(', ');
process.stderr.write(
  `Of ${bugs.length} planted: ${summary}, together ${foundAtAll}. Up to ${runs} runs of the swarm and ${cpuS} s of CPU for each bug and seed, ${draws} draws of each story; ${(performance.now() / 60_000).toFixed(0)} min with ${jobs} jobs.\n`,
);

/** Lets each finder look for one bug, and prints the row. */
async function look(bug: PlantedBug | undefined): Promise<void> {
  const copy = copyWith(bug, settings.root, finders);
  const results: [FinderName, FinderResult][] = [];
  try {
    for (const finder of finders) {
      results.push([finder, await findWithSeeds(finder, copy)]);
      if (values.keep !== undefined && existsSync(copy.foundFile))
        cpSync(copy.foundFile, join(values.keep, `${bug?.name ?? 'none'}.${finder}.yaml`));
      rmSync(copy.foundFile, { force: true });
    }
  } finally {
    copy.remove();
  }
  for (const [finder, { found }] of results) if (found) foundBy.set(finder, (foundBy.get(finder) ?? 0) + 1);
  if (results.some(([, { found }]) => found)) foundAtAll += 1;
  const name = bug?.name ?? 'none';
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ bug: name, room: bug?.room, ...Object.fromEntries(results) })}\n`
      : `| ${name} | ${results.map(([, result]) => textOf(result)).join(' | ')} |\n`,
  );
}

/** With one seed after the other, until one finds it. Stories and tests have none. */
async function findWithSeeds(finder: FinderName, copy: BuggyCopy): Promise<FinderResult> {
  let tookS = 0;
  const isSeeded = finder === 'swarm' || finder === 'explore';
  for (const seed of isSeeded ? seeds : [0]) {
    const result = await find(finder, copy, { ...settings, seed });
    tookS += result.tookS;
    if (!result.found) continue;
    const where = !isSeeded || seeds.length === 1 ? result.where : `seed ${seed}, ${result.where}`;
    return { ...result, where, tookS };
  }
  return { found: false, tookS };
}

/** Refuses what is not a whole number from `least`. */
function wholeOf(option: string, given: string, least = 1): number {
  const number = Number(given);
  if (!Number.isInteger(number) || number < least)
    refuse(`--${option} is ${JSON.stringify(given)}: give a whole number.`);
  return number;
}

function textOf(result: FinderResult): string {
  if (!result.found) return `no (${result.tookS} s)`;
  const [first, smallest] = result.steps ?? [0, 0];
  const steps = smallest < first ? `, ${first} to ${smallest} steps` : '';
  return `${result.where}: ${result.reason}${steps}`.replaceAll('|', '/');
}

function refuse(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(2);
}

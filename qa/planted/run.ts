import { cpSync, existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scriptOptions } from '../../test/support/run/script-options.ts';
import { type PlantedBug, plantedBugs } from './bug.ts';
import { copyWith, FINDERS, type FinderName, type FinderResult, find } from './find.ts';
import { limits } from './limits.ts';

const FOLDER = dirname(fileURLToPath(import.meta.url));
/** What the script takes, and does. */
const USAGE = {
  name: 'planted',
  line: '[names] [--set first] [--finder swarm] [--runs 300] [--draws 20] [--seed 1] [--jobs 2] [--keep DIR] [--none] [--json]',
  does: `Plays the stories, explore and the swarm on a copy of the sources for each planted bug, and prints who found it.
--runs is of the swarm, --draws of explore, of each story. --none plays them without a bug: nothing may be found.
--keep keeps the smallest failing scenario of each bug.`,
};
const { values, positionals } = scriptOptions(USAGE, {
  set: { type: 'string', multiple: true, default: ['first'] },
  finder: { type: 'string', multiple: true, default: [...FINDERS] },
  runs: { type: 'string', default: String(limits.swarmRuns) },
  draws: { type: 'string', default: String(limits.exploreDraws) },
  seed: { type: 'string', default: '1' },
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
const [runs, draws, seed, jobs] = (['runs', 'draws', 'seed', 'jobs'] as const).map((name) => {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < (name === 'seed' ? 0 : 1))
    refuse(`--${name} is ${JSON.stringify(values[name])}: give a whole number.`);
  return number;
}) as [number, number, number, number];
const all = plantedBugs(FOLDER, values.set);
const bugs: readonly (PlantedBug | undefined)[] = values.none
  ? [undefined]
  : all.filter(({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)));
if (bugs.length === 0) refuse(`No planted bug is named so: ${positionals.join(' ')}.`);

const settings = { root: join(FOLDER, '../..'), runs, draws, seed, jobs };
const foundBy = new Map<FinderName, number>();
let foundAtAll = 0;
if (!values.json)
  process.stdout.write(`| bug | ${finders.join(' | ')} |\n|---|${finders.map(() => '---|').join('')}\n`);
for (const bug of bugs) {
  const copy = copyWith(bug, settings.root);
  const results: [FinderName, FinderResult][] = [];
  try {
    for (const finder of finders) {
      results.push([finder, await find(finder, copy, settings)]);
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
const summary = finders.map((finder) => `${finder} ${foundBy.get(finder) ?? 0}`).join(', ');
process.stderr.write(
  `Of ${bugs.length} planted: ${summary}, together ${foundAtAll}. ${runs} runs of the swarm and ${draws} draws of each story, seed ${seed}; ${(performance.now() / 60_000).toFixed(0)} min with ${jobs} jobs.\n`,
);

function textOf(result: FinderResult): string {
  if (!result.found) return `no (${result.tookS} s)`;
  const steps = result.steps === undefined ? '' : `, ${result.steps[0]} to ${result.steps[1]} steps`;
  return `${result.where}: ${result.reason}${steps}`.replaceAll('|', '/');
}

function refuse(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(2);
}

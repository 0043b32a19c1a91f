import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { scriptOptions } from '../../test/support/run/script-options.ts';
import { seededRandom } from '../../world/random/seeded-random.ts';
import { limits } from './limits.ts';
import { keyOf, type Mutant, OUTCOMES, type PlayedMutant } from './mutant.ts';
import { play } from './play.ts';
import { type MutatedRoom, ROOMS } from './rooms.ts';
import { drawnOf, mutantsOf } from './sample.ts';
import { countsOf, scoreOf, survivorsOf } from './score.ts';

const ROOT = join(import.meta.dirname, '../..');
/** What the script takes, and does. */
const USAGE = {
  name: 'mutation',
  line: '[rooms] [--mutants 400] [--after 0] [--seed 1] [--jobs 2] [--survivors FILE] [--again FILE] [--json]',
  does: `Changes one expression of a room at a time and plays the tests that reach it: who notices? Prints a row for each room,
and writes the mutants that nobody noticed to a file, a JSON object in each line. --after leaves out the first of
the draw, which were played before. --again plays the mutants that such a file names, in place of a draw.`,
};
const { values, positionals } = scriptOptions(USAGE, {
  mutants: { type: 'string', default: String(limits.mutants) },
  after: { type: 'string', default: '0' },
  seed: { type: 'string', default: '1' },
  jobs: { type: 'string', default: '2' },
  survivors: { type: 'string', default: '.boxtwin/mutation-survivors.jsonl' },
  again: { type: 'string' },
  json: { type: 'boolean', default: false },
});
const names = ROOMS.map(({ name }) => name);
const unknown = positionals.find((name) => !names.includes(name));
if (unknown !== undefined) refuse(`There is no room ${unknown}; there are ${names.join(', ')}.`);
const [count, after, seed, jobs] = (['mutants', 'after', 'seed', 'jobs'] as const).map((name) => {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < (name === 'seed' || name === 'after' ? 0 : 1))
    refuse(`--${name} is ${JSON.stringify(values[name])}: give a whole number.`);
  return number;
}) as [number, number, number, number];
const again = values.again === undefined ? undefined : new Set(readLines(values.again).map(keyOf));

const survivors: PlayedMutant[] = [];
if (!values.json)
  process.stdout.write(
    `| room | mutants | played | ${OUTCOMES.join(' | ')} | score |\n|---|---|---|${OUTCOMES.map(() => '---|').join('')}---|\n`,
  );
for (const room of ROOMS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const all = await mutantsOf(ROOT, room.folder);
  const chosen = chosenOf(room, all);
  if (chosen.length === 0) continue;
  process.stderr.write(`${room.name}: ${chosen.length} of ${all.length} mutants\n`);
  const played = await play(room, chosen, { root: ROOT, jobs });
  survivors.push(...survivorsOf(played));
  mkdirSync(dirname(values.survivors), { recursive: true });
  writeFileSync(values.survivors, survivors.map((one) => `${JSON.stringify(one)}\n`).join(''));
  process.stdout.write(`${rowOf(room, all, played)}\n`);
}
process.stderr.write(`${survivors.length} that nobody noticed are in ${values.survivors}\n`);

function chosenOf(room: MutatedRoom, all: readonly Mutant[]): readonly Mutant[] {
  if (again !== undefined) return all.filter((mutant) => again.has(keyOf(mutant)));
  return drawnOf(all, seededRandom(seed), { room: room.name, count, after });
}

function rowOf(room: MutatedRoom, all: readonly Mutant[], played: readonly PlayedMutant[]): string {
  const counts = countsOf(played);
  const score = scoreOf(counts);
  if (values.json)
    return JSON.stringify({ room: room.name, mutants: all.length, played: played.length, ...counts, score });
  const cells = OUTCOMES.map((outcome) => counts[outcome]).join(' | ');
  return `| ${room.name} | ${all.length} | ${played.length} | ${cells} | ${score?.toFixed(1) ?? '-'} |`;
}

function readLines(file: string): readonly Mutant[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Mutant);
}

function refuse(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(2);
}

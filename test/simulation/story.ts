import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readScenario } from '../../scenarios/language/read.ts';
import { scenarioText } from '../../scenarios/reports/text.ts';
import { runVirtual } from '../../scenarios/virtual/run-virtual.ts';

const folder = fileURLToPath(new URL('../../scenarios/stories', import.meta.url));

/**
 * Stories with so many boxes that they take minutes: how many vehicles of each group play them here. `boxtwin scenario
 * run` plays them as they stand.
 */
export const LARGE: Readonly<Record<string, number>> = {
  'broker-restart-storm': 1_000,
  'bulk-third-asleep': 300,
};

/** The names of all stories, in their order. */
export const STORIES: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.slice(0, -'.yaml'.length))
  .sort();

/** What is played otherwise than the file has it. */
export interface Changes {
  /** Of vehicles in each group. */
  readonly count?: number;
  readonly seed?: number;
}

/** Plays a story, changed like that; what went wrong as text, empty where nothing did. */
export async function wrongIn(name: string, { count, seed }: Changes = {}): Promise<string> {
  const path = join(folder, `${name}.yaml`);
  const read = readScenario(readFileSync(path, 'utf8'), path);
  if (!read.ok) return read.problems.map(({ line, message }) => `${line}: ${message}`).join('\n');
  if (read.scenario.name !== name) return `the file ${name}.yaml holds the story ${read.scenario.name}`;
  const files = filesBeside(dirname(path));
  const fleet = read.scenario.fleet.map((group) => (count === undefined ? group : { ...group, count }));
  const outcome = await runVirtual(
    { ...read.scenario, fleet, ...(seed === undefined ? {} : { seed }) },
    { readFile: (file) => files.get(file) },
  );
  if (outcome.verdict === 'passed') return '';
  return scenarioText({ file: path, outcome, wallMs: 0, repeat: '' })
    .map(({ text }) => text)
    .join('\n');
}

/** Read before the run: within it there are no files. */
function filesBeside(directory: string): ReadonlyMap<string, string> {
  const names = readdirSync(directory).filter((file) => !file.endsWith('.yaml'));
  return new Map(names.map((file) => [file, readFileSync(join(directory, file), 'utf8')]));
}

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readScenario } from '../../../scenarios/language/document/read.ts';
import { scenarioText } from '../../../scenarios/reports/text.ts';
import { runVirtual } from '../../../scenarios/testbed/virtual/run-virtual.ts';

const folder = fileURLToPath(new URL('../../../scenarios/stories', import.meta.url));

/** Stories with so many boxes that each is played by a process of its own, beside the others. */
export const LARGE_STORIES: readonly string[] = ['broker-restart-storm', 'bulk-third-asleep'];

/** The names of all stories, in their order. */
export const STORIES: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.slice(0, -'.yaml'.length))
  .sort();

/** The file of a story, absolute. */
export function storyFileOf(name: string): string {
  return join(folder, `${name}.yaml`);
}

/** Plays a story, with its own seed or another; what went wrong as text, empty where nothing did. */
export async function failuresOfStory(name: string, seed?: number): Promise<string> {
  const path = storyFileOf(name);
  const read = readScenario(readFileSync(path, 'utf8'), path);
  if (!read.ok) return read.problems.map(({ line, message }) => `${line}: ${message}`).join('\n');
  if (read.scenario.name !== name) return `the file ${name}.yaml holds the story ${read.scenario.name}`;
  const files = filesBeside(dirname(path));
  const outcome = await runVirtual(read.scenario, {
    readFile: (file) => files.get(file),
    ...(seed === undefined ? {} : { seed }),
  });
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

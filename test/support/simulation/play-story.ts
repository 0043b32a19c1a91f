import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ScenarioDocument } from '../../../scenarios/language/document/problem.ts';
import { readDocument, readScenario } from '../../../scenarios/language/document/read.ts';
import type { Scenario } from '../../../scenarios/language/document/scenario.ts';
import { applyDraw } from '../../../scenarios/language/vary/draw.ts';
import { extremesOf } from '../../../scenarios/language/vary/vary.ts';
import { scenarioText } from '../../../scenarios/reports/text.ts';
import { runVirtual } from '../../../scenarios/run/run-virtual.ts';

const folder = fileURLToPath(new URL('../../../scenarios/stories', import.meta.url));

/** Stories with so many boxes that each is played by a process of its own, beside the others. */
export const LARGE_STORIES: readonly string[] = ['broker-restart-storm', 'bulk-third-asleep'];

/** Stories that vary nothing: a run of each takes seconds, and `explore` plays many. */
export const FIXED_STORIES: readonly string[] = [...LARGE_STORIES, 'exchange-down-for-a-day', 'week-offline'];

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
export function failuresOfStory(name: string, seed?: number): Promise<string> {
  const read = readStory(name);
  return read.ok ? failuresOf(name, read.scenario, seed) : Promise.resolve(read.why);
}

/** How many variants have every end and choice of what a story varies: 0 where it varies nothing, otherwise 4 or more. */
export function variantsOfStory(name: string): number {
  const read = readStory(name);
  if (!read.ok) throw new Error(read.why);
  const { vary } = read.scenario;
  return vary.length === 0 ? 0 : Math.max(4, ...vary.map(({ values }) => extremesOf(values).length));
}

/**
 * Plays a story with the ends of what it varies: variant 0 has all first ones, 1 all second ones, and in those from 2 on the
 * first end of one value meets the last of the next. What went wrong as text with what was varied, empty where nothing did.
 */
export async function failuresOfVariant(name: string, variant: number): Promise<string> {
  const read = readStory(name);
  if (!read.ok) return read.why;
  const draw = Object.fromEntries(
    read.scenario.vary.map(({ path, values }, place) => {
      const ends = extremesOf(values);
      return [path, ends[(variant + (variant < 2 ? 0 : place)) % ends.length]];
    }),
  );
  const applied = applyDraw(read.document, draw);
  if (!applied.ok) return applied.problems.join('\n');
  const drawn = readDocument(applied.document);
  if (!drawn.ok) return drawn.faults.map(({ message }) => message).join('\n');
  const failures = await failuresOf(name, drawn.scenario);
  return failures === '' ? '' : `${JSON.stringify(draw)}\n${failures}`;
}

type ReadStory =
  | { readonly ok: true; readonly scenario: Scenario; readonly document: ScenarioDocument }
  | { readonly ok: false; readonly why: string };

function readStory(name: string): ReadStory {
  const path = storyFileOf(name);
  const read = readScenario(readFileSync(path, 'utf8'), path);
  if (!read.ok)
    return { ok: false, why: read.problems.map(({ line, message }) => `${line}: ${message}`).join('\n') };
  return read.scenario.name === name
    ? read
    : { ok: false, why: `the file ${name}.yaml holds the story ${read.scenario.name}` };
}

async function failuresOf(name: string, scenario: Scenario, seed?: number): Promise<string> {
  const path = storyFileOf(name);
  const files = filesBeside(dirname(path));
  const outcome = await runVirtual(scenario, {
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

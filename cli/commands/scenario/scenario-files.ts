import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inputText, STANDARD_INPUT } from '../../../deployment/input/input-file.ts';
import { type LinkFiles, readLinkFiles } from '../../../deployment/input/scenario-link-files.ts';
import { CommandError } from '../../../deployment/shared/command-error.ts';
import { counted } from '../../../judge/wording.ts';
import { nearestName } from '../../../scenarios/language/document/nearest.ts';
import {
  printProblem,
  type ScenarioDocument,
  type ScenarioProblem,
} from '../../../scenarios/language/document/problem.ts';
import { readScenario } from '../../../scenarios/language/document/read.ts';
import type { Scenario } from '../../../scenarios/language/document/scenario.ts';
import { languageLimits } from '../../../scenarios/limits.ts';
import { limits } from '../../shared/limits.ts';
import { type ShippedStory, shippedStories } from './shipped-stories.ts';

/** A scenario and its file. */
export interface ScenarioFile {
  /** The given path, or one found below a given directory; `-` for standard input. */
  readonly file: string;
  readonly scenario: Scenario;
  /** The original: its content, and its text. */
  readonly document: ScenarioDocument;
  readonly text: string;
  /** Reads the recorded links and drives next to it. */
  readonly readFile: LinkFiles['readFile'];
}

/**
 * The scenarios, and the files in directories that `explore` and `swarm` have written: those run only if they are
 * named.
 */
export interface ScenarioFiles {
  readonly files: readonly ScenarioFile[];
  readonly leftOut: readonly string[];
  /** Their warnings, with the place, and the gaps that were bridged in the recorded drives that they name. */
  readonly remarks: readonly string[];
}

/** Scenarios that cannot be read: all of their mistakes, each with its place. */
export class FaultyScenarios extends CommandError {
  readonly problems: readonly ScenarioProblem[];

  constructor(message: string, problems: readonly ScenarioProblem[]) {
    super(message);
    this.problems = problems;
  }
}

/**
 * The suffix of files that `explore` and `swarm` write: the smallest scenario that fails, and no story of its folder.
 */
export const FOUND_ENDING = '.found.yaml';

/**
 * Reads every named file, `-` for standard input, every *.yaml below the named directories, and shipped stories by
 * their names, each once. Throws `FaultyScenarios` with all problems of all files, so that nothing runs if any of them
 * is wrong.
 */
export function readScenarioFiles(places: readonly string[]): ScenarioFiles {
  const missing = places.filter((place) => !isPlace(place) && storyOf(place) === undefined);
  if (missing.length > 0) throw new CommandError(missingText(missing));
  const listed = places.map((place) => filesAt(isPlace(place) ? place : (storyOf(place)?.file ?? place)));
  const files = new Map(listed.flatMap(({ taken }) => taken.map((file) => [keyOf(file), file])));
  const leftOut = new Map(listed.flatMap(({ found }) => found.map((file) => [resolve(file), file])));
  for (const named of files.keys()) leftOut.delete(named);
  if (files.size > limits.scenarioFiles)
    throw new CommandError(
      `These are ${files.size} scenarios, and ${limits.scenarioFiles} can be run at once. Name fewer.`,
    );
  const read: ScenarioFile[] = [];
  const problems: ScenarioProblem[] = [];
  const printed: string[] = [];
  const remarks = new Set<string>();
  for (const file of files.values()) {
    const text = textOf(file);
    const reading = readScenario(text, file);
    if (!reading.ok) {
      problems.push(...reading.problems);
      printed.push(...reading.problems.map((problem) => printProblem(problem, text)));
      continue;
    }
    const { scenario, document, warnings } = reading;
    for (const warning of warnings) remarks.add(`warning: ${printProblem(warning, text)}`);
    const linkFiles = readLinkFiles(scenario, document, text, file);
    problems.push(...linkFiles.faults);
    printed.push(...linkFiles.problems);
    for (const remark of linkFiles.remarks) remarks.add(remark);
    read.push({ file, scenario, document, text, readFile: linkFiles.readFile });
  }
  if (problems.length === 0) return { files: read, leftOut: [...leftOut.values()], remarks: [...remarks] };
  throw new FaultyScenarios(
    `nothing was run, because of what is wrong here:\n\n${printed.join('\n\n')}`,
    problems,
  );
}

function isPlace(given: string): boolean {
  return given === STANDARD_INPUT || statSync(given, { throwIfNoEntry: false }) !== undefined;
}

function storyOf(given: string): ShippedStory | undefined {
  return shippedStories().find(({ name }) => name === given);
}

/** A story of this package, such as `tunnel`. Throws a `CommandError` with the nearest name. */
export function storyNamed(given: string): ShippedStory {
  const found = storyOf(given);
  if (found === undefined) throw new CommandError(missingText([given]));
  return found;
}

function missingText(missing: readonly string[]): string {
  const names = shippedStories().map(({ name }) => name);
  const near = missing.map((given) => nearestName(given, names)).find((name) => name !== undefined);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return `There is no file, directory or story ${missing.join(', nor ')}.${hint} "boxtwin scenario list" shows the stories.`;
}

/** The one file that several names may resolve to. */
function keyOf(file: string): string {
  return file === STANDARD_INPUT ? file : resolve(file);
}

function filesAt(place: string): { readonly taken: readonly string[]; readonly found: readonly string[] } {
  if (place === STANDARD_INPUT || !statSync(place).isDirectory()) return { taken: [place], found: [] };
  const files = below(place, limits.scenarioDepth);
  const wasFound = (file: string): boolean => file.toLowerCase().endsWith(FOUND_ENDING);
  const taken = files.filter((file) => !wasFound(file));
  const found = files.filter(wasFound);
  if (taken.length > 0) return { taken, found };
  const named = found.length === 0 ? '' : `, but for what was found: name ${found[0]} to run it`;
  throw new CommandError(
    `There is no scenario (*.yaml) in ${place}${named}. "boxtwin scenario new FILE" writes one, and "boxtwin scenario list" shows the stories.`,
  );
}

/** The notice about files of a directory that do not run; empty if there are none. */
export function leftOutText(leftOut: readonly string[]): string {
  const [first, ...more] = leftOut;
  if (first === undefined) return '';
  const which = more.length === 0 ? first : `${first} and ${counted(more.length, 'other')}`;
  const it = more.length === 0 ? 'it' : 'them';
  return `Left out, since explore or swarm found ${it}: ${which}. Name ${it} to run ${it}.\n`;
}

/** Sorted by name, so that every machine runs them in one order; links to directories are not followed. */
function below(folder: string, depth: number): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return depth > 0 ? below(path, depth - 1) : [];
    return /\.ya?ml$/i.test(entry.name) ? [path] : [];
  });
}

function textOf(file: string): string {
  const text = inputText('scenario', file);
  if (text.length <= languageLimits.characters) return text;
  throw new CommandError(
    `${file} has more than ${languageLimits.characters} characters, and no scenario has: is it another file?`,
  );
}

import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { counted } from '../../../scenarios/language/document/counted.ts';
import {
  printProblem,
  type ScenarioDocument,
  type ScenarioProblem,
} from '../../../scenarios/language/document/problem.ts';
import { readScenario } from '../../../scenarios/language/document/read.ts';
import type { Scenario } from '../../../scenarios/language/document/scenario.ts';
import { limits as languageLimits } from '../../../scenarios/language/limits.ts';
import { limits } from '../../limits.ts';
import { readBounded, STANDARD_INPUT } from '../../shared/bounded-text.ts';
import { CommandError } from '../../shared/command-error.ts';
import { type LinkFiles, readLinkFiles } from './scenario-link-files.ts';

/** A scenario and the file it came from. */
export interface ScenarioFile {
  /** As it was given, or found below a directory that was given; `-` for standard input. */
  readonly file: string;
  readonly scenario: Scenario;
  /** As it was written: what it says, and its text. */
  readonly document: ScenarioDocument;
  readonly text: string;
  /** Reads the recorded links and drives beside it. */
  readonly readFile: LinkFiles['readFile'];
}

/** What was read, and the files of directories that `explore` and `swarm` wrote there: only who names one runs it. */
export interface ScenarioFiles {
  readonly files: readonly ScenarioFile[];
  readonly leftOut: readonly string[];
  /** What was bridged in the recorded drives that they name, in sentences. */
  readonly remarks: readonly string[];
}

/** Scenarios that cannot be read: all that is wrong with them, each with its place. */
export class FaultyScenarios extends CommandError {
  readonly problems: readonly ScenarioProblem[];

  constructor(message: string, problems: readonly ScenarioProblem[]) {
    super(message);
    this.problems = problems;
  }
}

/** How a file ends that `explore` and `swarm` write: the smallest scenario that fails, and no story of its folder. */
export const FOUND_ENDING = '.found.yaml';

/**
 * Reads every file that is named, `-` for standard input, and every *.yaml below the directories that are named, each
 * once. Throws `FaultyScenarios` with all problems of all files, so that nothing is run where anything is wrong.
 */
export function readScenarioFiles(places: readonly string[]): ScenarioFiles {
  const missing = places.filter(
    (place) => place !== STANDARD_INPUT && statSync(place, { throwIfNoEntry: false }) === undefined,
  );
  if (missing.length > 0) throw new CommandError(`There is no file or directory ${missing.join(', nor ')}.`);
  const listed = places.map(filesAt);
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
    const { scenario, document } = reading;
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

/** The one file that several names may lead to. */
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
  throw new CommandError(`There is no scenario (*.yaml) in ${place}${named}.`);
}

/** What whoever named a directory is told of files in it that are not run; nothing where there is none. */
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
  let text: string | undefined;
  try {
    text = readBounded(file, languageLimits.characters);
  } catch (error) {
    throw new CommandError(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  if (text === undefined)
    throw new CommandError(
      `${file} has more than ${languageLimits.characters} characters, and no scenario has: is it another file?`,
    );
  return text;
}

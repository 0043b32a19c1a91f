import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { limits as languageLimits } from '../scenarios/language/limits.ts';
import { type Document, printProblem } from '../scenarios/language/problem.ts';
import { readScenario } from '../scenarios/language/read.ts';
import type { Scenario } from '../scenarios/language/scenario.ts';
import { readBounded } from './bounded-text.ts';
import { Failure } from './failure.ts';
import { limits } from './limits.ts';
import { type Beside, readBeside } from './scenario-beside.ts';

/** A scenario and the file it came from. */
export interface ScenarioFile {
  /** As it was given, or found below a directory that was given. */
  readonly file: string;
  readonly scenario: Scenario;
  /** As it was written. */
  readonly document: Document;
  /** Reads the recorded links beside it. */
  readonly readFile: Beside['readFile'];
}

/**
 * Reads every file that is named and every *.yaml below the directories that are named, each once. Throws a `Failure`
 * with all problems of all files, so that nothing is run where anything is wrong.
 */
export function readScenarioFiles(places: readonly string[]): readonly ScenarioFile[] {
  const missing = places.filter((place) => statSync(place, { throwIfNoEntry: false }) === undefined);
  if (missing.length > 0) throw new Failure(`There is no file or directory ${missing.join(', nor ')}.`);
  const files = new Map(places.flatMap(filesAt).map((file) => [resolve(file), file]));
  if (files.size > limits.scenarioFiles)
    throw new Failure(
      `These are ${files.size} scenarios, and ${limits.scenarioFiles} can be run at once. Name fewer.`,
    );
  const read: ScenarioFile[] = [];
  const problems: string[] = [];
  for (const file of files.values()) {
    const text = textOf(file);
    const reading = readScenario(text, file);
    if (!reading.ok) {
      problems.push(...reading.problems.map((problem) => printProblem(problem, text)));
      continue;
    }
    const { scenario, document } = reading;
    const beside = readBeside(scenario, document, text, file);
    problems.push(...beside.problems);
    read.push({ file, scenario, document, readFile: beside.readFile });
  }
  if (problems.length === 0) return read;
  throw new Failure(`nothing was run, because of what is wrong here:\n\n${problems.join('\n\n')}`);
}

function filesAt(place: string): readonly string[] {
  if (!statSync(place).isDirectory()) return [place];
  const files = below(place, limits.scenarioDepth);
  if (files.length === 0) throw new Failure(`There is no scenario (*.yaml) in ${place}.`);
  return files;
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
    throw new Failure(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
  if (text === undefined)
    throw new Failure(
      `${file} has more than ${languageLimits.characters} characters, and no scenario has: is it another file?`,
    );
  return text;
}

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Problem, printProblem } from '../scenarios/language/problem.ts';
import type { Scenario } from '../scenarios/language/scenario.ts';
import { readSource } from '../scenarios/language/source.ts';
import { readCellularTrace } from '../world/cellular-trace.ts';

/** The files beside a scenario that its weather plays, read before the run; and what is wrong with them. */
export interface Beside {
  readonly readFile: (name: string) => string | undefined;
  /** As they are printed, with the place in the scenario that names the file. */
  readonly problems: readonly string[];
}

/** Reads the recorded links that a scenario names. `text` is the scenario as it was written, `file` its own place. */
export function readBeside({ steps }: Scenario, text: string, file: string): Beside {
  const texts = new Map<string, string>();
  const problems = steps.flatMap(({ does }, index): readonly string[] => {
    if (does?.kind !== 'weather' || does.weather.name !== 'trace') return [];
    const name = does.weather.settings.file;
    const what = faultOf(name, resolve(dirname(file), name), texts);
    if (what === undefined) return [];
    const source = readSource(text, file);
    const spot = source.ok
      ? source.spotOf(['steps', index, 'weather', 'trace', 'file'], 'value')
      : { line: 1, column: 1 };
    const problem: Problem = { file, ...spot, message: what };
    return [printProblem(problem, text)];
  });
  return { readFile: (name) => texts.get(name), problems };
}

/** Reads it into `texts`; returns what is wrong with it. */
function faultOf(name: string, path: string, texts: Map<string, string>): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return `There is no file ${name} beside the scenario that can be read.`;
  }
  texts.set(name, text);
  const read = readCellularTrace(text);
  if ('trace' in read) return undefined;
  const { line, what } = read.fault;
  return `${name}${line === undefined ? '' : `, line ${line}`}: ${what}.`;
}

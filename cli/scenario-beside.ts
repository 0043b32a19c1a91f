import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { applyDraw } from '../scenarios/language/draw.ts';
import { type Document, type Problem, printProblem } from '../scenarios/language/problem.ts';
import { readDocument } from '../scenarios/language/read.ts';
import type { Scenario } from '../scenarios/language/scenario.ts';
import { readSource } from '../scenarios/language/source.ts';
import type { Place } from '../scenarios/language/vary.ts';
import { readCellularTrace } from '../world/cellular-trace.ts';

/** The files beside a scenario that its weather plays, read before the run; and what is wrong with them. */
export interface Beside {
  readonly readFile: (name: string) => string | undefined;
  /** As they are printed, with the place in the scenario that names the file. */
  readonly problems: readonly string[];
}

/** A file that weather plays, and where the scenario names it. */
interface Named {
  readonly name: string;
  readonly place: Place;
}

/**
 * Reads the recorded links that a scenario names, those among its choices to vary too. `text` is the scenario as it was
 * written, `file` its own place.
 */
export function readBeside(scenario: Scenario, document: Document, text: string, file: string): Beside {
  const texts = new Map<string, string>();
  const known = new Set<string>();
  const problems = [...namedIn(scenario), ...namedInChoices(scenario, document)].flatMap(
    ({ name, place }): readonly string[] => {
      if (known.has(name)) return [];
      known.add(name);
      const what = faultOf(name, resolve(dirname(file), name), texts);
      if (what === undefined) return [];
      const source = readSource(text, file);
      const spot = source.ok ? source.spotOf(place, 'value') : { line: 1, column: 1 };
      const problem: Problem = { file, ...spot, message: what };
      return [printProblem(problem, text)];
    },
  );
  return { readFile: (name) => texts.get(name), problems };
}

function namedIn({ steps }: Scenario): readonly Named[] {
  return steps.flatMap(({ does }, index) => {
    if (does?.kind !== 'weather' || does.weather.name !== 'trace') return [];
    const { file } = does.weather.settings;
    return file === undefined
      ? []
      : [{ name: file, place: ['steps', index, 'weather', 'trace', 'file'] as const }];
  });
}

/** The scenario as it has to be written in another folder, so that it still plays the files beside `file`. */
export function writtenBeside(document: Document, file: string, other: string): Document {
  const steps = (document['steps'] as readonly Loose[]).map((step) => {
    const { trace } = (step['weather'] ?? {}) as { readonly trace?: Loose };
    if (typeof trace?.['file'] !== 'string') return step;
    const played = relative(dirname(other), resolve(dirname(file), trace['file']));
    return { ...step, weather: { trace: { ...trace, file: played } } };
  });
  return { ...document, steps };
}

type Loose = Readonly<Record<string, unknown>>;

/** A choice may be the name of a file, or weather that names one: what a scenario with it plays. */
function namedInChoices({ vary }: Scenario, document: Document): readonly Named[] {
  return vary.flatMap(({ path, values }) =>
    (values.kind === 'choice' ? values.choices : []).flatMap((choice, index) => {
      const drawn = applyDraw(document, { [path]: choice });
      const checked = drawn.ok ? readDocument(drawn.document) : undefined;
      return checked?.ok === true
        ? namedIn(checked.scenario).map(({ name }) => ({ name, place: ['vary', path, index] as const }))
        : [];
    }),
  );
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

import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import {
  printProblem,
  type ScenarioDocument,
  type ScenarioProblem,
} from '../../../scenarios/language/document/problem.ts';
import { readDocument } from '../../../scenarios/language/document/read.ts';
import type { Scenario } from '../../../scenarios/language/document/scenario.ts';
import { readSource } from '../../../scenarios/language/document/yaml-source.ts';
import { applyDraw } from '../../../scenarios/language/vary/draw.ts';
import type { DocumentPlace } from '../../../scenarios/language/vary/vary.ts';
import { readCellularTrace } from '../../../world/network-faults/cellular-trace.ts';

/** The files beside a scenario that its weather plays, read before the run; and what is wrong with them. */
export interface LinkFiles {
  readonly readFile: (name: string) => string | undefined;
  /** As they are printed, with the place in the scenario that names the file. */
  readonly problems: readonly string[];
}

/** A file that weather plays, and where the scenario names it. */
interface NamedLinkFile {
  readonly name: string;
  readonly place: DocumentPlace;
}

/**
 * Reads the recorded links that a scenario names, those among its choices to vary too. `text` is the scenario as it was
 * written, `file` its own place.
 */
export function readLinkFiles(
  scenario: Scenario,
  document: ScenarioDocument,
  text: string,
  file: string,
): LinkFiles {
  const texts = new Map<string, string>();
  const known = new Set<string>();
  const problems = [...namedIn(scenario), ...namedInChoices(scenario, document)].flatMap(
    ({ name, place }): readonly string[] => {
      if (known.has(name)) return [];
      known.add(name);
      const what = faultOf(name, resolve(dirname(file), name), texts);
      if (what === undefined) return [];
      const source = readSource(text, file);
      const spot = source.ok ? source.positionOf(place, 'value') : { line: 1, column: 1 };
      const problem: ScenarioProblem = { file, ...spot, message: what };
      return [printProblem(problem, text)];
    },
  );
  return { readFile: (name) => texts.get(name), problems };
}

/** The names of the recorded links that its weather plays. */
export function linkFilesOf(scenario: Scenario): readonly string[] {
  return namedIn(scenario).map(({ name }) => name);
}

function namedIn({ steps }: Scenario): readonly NamedLinkFile[] {
  return steps.flatMap(({ does }, index) => {
    if (does?.kind !== 'weather' || does.weather.name !== 'trace') return [];
    const { file } = does.weather.settings;
    return file === undefined
      ? []
      : [{ name: file, place: ['steps', index, 'weather', 'trace', 'file'] as const }];
  });
}

/** The scenario as it has to be written in another folder, so that it still plays the files beside `file`. */
export function withLinkFilesFrom(document: ScenarioDocument, file: string, other: string): ScenarioDocument {
  const steps = (document['steps'] as readonly JsonObject[]).map((step) => {
    const { trace } = (step['weather'] ?? {}) as { readonly trace?: JsonObject };
    if (typeof trace?.['file'] !== 'string') return step;
    const played = relative(dirname(other), resolve(dirname(file), trace['file']));
    return { ...step, weather: { trace: { ...trace, file: played } } };
  });
  return { ...document, steps };
}

type JsonObject = Readonly<Record<string, unknown>>;

/** A choice may be the name of a file, or weather that names one: what a scenario with it plays. */
function namedInChoices({ vary }: Scenario, document: ScenarioDocument): readonly NamedLinkFile[] {
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

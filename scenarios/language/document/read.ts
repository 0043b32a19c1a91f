import { languageLimits } from '../../limits.ts';
import { alreadyTrueIn } from '../expectations/already-true.ts';
import { checkPatterns } from '../expectations/check-patterns.ts';
import { checkScenario } from './check.ts';
import { checkWords } from './check-steps.ts';
import { checkVary } from './check-vary.ts';
import { type DocumentFault, explainIssues, type PlaceNaming } from './explain.ts';
import { scenarioJsonSchema } from './json-schema.ts';
import type { JsonSchema } from './keyed.ts';
import { normalise } from './normalise.ts';
import { type ReadResult, type ScenarioDocument, type ScenarioProblem, shortProblem } from './problem.ts';
import type { Scenario } from './scenario.ts';
import { documentSchema } from './schema.ts';
import { type LineOfStep, placeName, stepName } from './step-name.ts';
import { readSource } from './yaml-source.ts';

/** The result of checking a document, without positions in a file. */
export type ReadDocument =
  | { readonly ok: true; readonly scenario: Scenario }
  | { readonly ok: false; readonly faults: readonly DocumentFault[] };

let schema: JsonSchema | undefined;

/** Reads a scenario from the text of its file; problems name `file`, and are short. Never throws. */
export function readScenario(text: string, file: string): ReadResult {
  const reading = readWhole(text, file);
  return reading.ok ? reading : { ok: false, problems: reading.problems.map(shortProblem) };
}

function readWhole(text: string, file: string): ReadResult {
  const source = readSource(text, file);
  if (!source.ok) return source;
  const lineOf = (index: number): number => source.positionOf(['steps', index], 'value').line;
  const checked = readDocument(source.value, (place) => placeName(place, lineOf));
  const placed = (faults: readonly DocumentFault[]): readonly ScenarioProblem[] =>
    faults
      .map(
        ({ place, of, message, hint }): ScenarioProblem => ({
          file,
          ...source.positionOf(place, of),
          message,
          ...(hint === undefined ? {} : { hint }),
        }),
      )
      .sort((one, other) => one.line - other.line || one.column - other.column)
      .slice(0, languageLimits.problems);
  if (!checked.ok) return { ok: false, problems: placed(checked.faults) };
  const stepLines = checked.scenario.steps.map((_, index) => lineOf(index));
  const scenario: Scenario = { ...checked.scenario, stepLines };
  const document = source.value as ScenarioDocument;
  return { ok: true, scenario, document, warnings: placed(doubtsAbout(scenario, document, lineOf)) };
}

/** The expectations that are met before anything has happened, with their places. */
function doubtsAbout(
  { steps }: Scenario,
  document: ScenarioDocument,
  lineOf: LineOfStep,
): readonly DocumentFault[] {
  return steps.flatMap((step, index) =>
    alreadyTrueIn(step).map(({ place: [list = '', at = 0], text }): DocumentFault => {
      // One expectation may be written without a list.
      const written = (document['steps'] as readonly ScenarioDocument[])[index]?.[list];
      const place = ['steps', index, list, ...(Array.isArray(written) ? [at] : [])];
      const name = stepName(index, { label: step.label, line: lineOf(index) });
      return { place, of: 'value', message: `In ${name}: ${text}.` };
    }),
  );
}

/**
 * Checks a scenario that is already parsed: after a draw, or from a program. `nameOf` names the places of its
 * mistakes. Never throws.
 */
export function readDocument(document: unknown, nameOf: PlaceNaming = placeName): ReadDocument {
  const checked = readOne(document, nameOf);
  if (!checked.ok) return checked;
  const faults = checkVary(document as ScenarioDocument, (one) => {
    const tried = readOne(one, nameOf);
    return tried.ok ? undefined : tried.faults[0];
  });
  return faults.length === 0 ? checked : { ok: false, faults };
}

function readOne(document: unknown, nameOf: PlaceNaming): ReadDocument {
  const parsed = documentSchema.safeParse(document);
  if (!parsed.success) {
    schema ??= scenarioJsonSchema();
    return { ok: false, faults: explainIssues(parsed.error.issues, document, schema, { nameOf }) };
  }
  const words = checkWords(document as ScenarioDocument);
  if (words.length > 0) return { ok: false, faults: words };
  const scenario = normalise(parsed.data);
  const faults = [...checkScenario(scenario), ...checkPatterns(document as ScenarioDocument, scenario)];
  return faults.length === 0 ? { ok: true, scenario } : { ok: false, faults };
}

import { checkPatterns } from '../expectations/check-patterns.ts';
import { limits } from '../limits.ts';
import { checkScenario } from './check.ts';
import { checkWords } from './check-steps.ts';
import { checkVary } from './check-vary.ts';
import { type DocumentFault, explainIssues } from './explain.ts';
import { scenarioJsonSchema } from './json-schema.ts';
import type { JsonSchema } from './keyed.ts';
import { normalise } from './normalise.ts';
import type { ReadResult, ScenarioDocument, ScenarioProblem } from './problem.ts';
import type { Scenario } from './scenario.ts';
import { documentSchema } from './schema.ts';
import { readSource } from './yaml-source.ts';

/** The result of checking a document, without positions in a file. */
export type ReadDocument =
  | { readonly ok: true; readonly scenario: Scenario }
  | { readonly ok: false; readonly faults: readonly DocumentFault[] };

let schema: JsonSchema | undefined;

/** Reads a scenario from the text of its file; problems name `file`. Never throws. */
export function readScenario(text: string, file: string): ReadResult {
  const source = readSource(text, file);
  if (!source.ok) return source;
  const checked = readDocument(source.value);
  if (checked.ok) return { ok: true, scenario: checked.scenario, document: source.value as ScenarioDocument };
  const problems = checked.faults.map(
    ({ place, of, message, hint }): ScenarioProblem => ({
      file,
      ...source.positionOf(place, of),
      message,
      ...(hint === undefined ? {} : { hint }),
    }),
  );
  const sorted = problems.sort((one, other) => one.line - other.line || one.column - other.column);
  return { ok: false, problems: sorted.slice(0, limits.problems) };
}

/** Checks a scenario that is already parsed: after a draw, or made by a program. Never throws. */
export function readDocument(document: unknown): ReadDocument {
  const checked = readOne(document);
  if (!checked.ok) return checked;
  const faults = checkVary(document as ScenarioDocument, (one) => {
    const tried = readOne(one);
    return tried.ok ? undefined : tried.faults[0];
  });
  return faults.length === 0 ? checked : { ok: false, faults };
}

function readOne(document: unknown): ReadDocument {
  const parsed = documentSchema.safeParse(document);
  if (!parsed.success) {
    schema ??= scenarioJsonSchema();
    return { ok: false, faults: explainIssues(parsed.error.issues, document, schema) };
  }
  const words = checkWords(document as ScenarioDocument);
  if (words.length > 0) return { ok: false, faults: words };
  const scenario = normalise(parsed.data);
  const faults = [...checkScenario(scenario), ...checkPatterns(document as ScenarioDocument, scenario)];
  return faults.length === 0 ? { ok: true, scenario } : { ok: false, faults };
}

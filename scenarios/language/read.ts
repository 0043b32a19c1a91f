import { checkScenario } from './check.ts';
import { checkWords } from './check-steps.ts';
import { checkVary } from './check-vary.ts';
import { explainIssues, type Fault } from './explain.ts';
import { scenarioJsonSchema } from './json-schema.ts';
import type { JsonSchema } from './keyed.ts';
import { limits } from './limits.ts';
import { normalise } from './normalise.ts';
import type { Document, Problem, Reading } from './problem.ts';
import type { Scenario } from './scenario.ts';
import { documentSchema } from './schema.ts';
import { readSource } from './source.ts';

/** A document without its positions, read. */
export type Checked =
  | { readonly ok: true; readonly scenario: Scenario }
  | { readonly ok: false; readonly faults: readonly Fault[] };

let schema: JsonSchema | undefined;

/** Reads a scenario from the text of its file; `file` stands in the problems. Never throws. */
export function readScenario(text: string, file: string): Reading {
  const source = readSource(text, file);
  if (!source.ok) return source;
  const checked = readDocument(source.value);
  if (checked.ok) return { ok: true, scenario: checked.scenario, document: source.value as Document };
  const problems = checked.faults.map(
    ({ place, of, message, hint }): Problem => ({
      file,
      ...source.spotOf(place, of),
      message,
      ...(hint === undefined ? {} : { hint }),
    }),
  );
  const sorted = problems.sort((one, other) => one.line - other.line || one.column - other.column);
  return { ok: false, problems: sorted.slice(0, limits.problems) };
}

/** Reads a scenario that is data already: after a draw, or made by a program. Never throws. */
export function readDocument(document: unknown): Checked {
  const checked = readOne(document);
  if (!checked.ok) return checked;
  const faults = checkVary(document as Document, (one) => {
    const tried = readOne(one);
    return tried.ok ? undefined : tried.faults[0];
  });
  return faults.length === 0 ? checked : { ok: false, faults };
}

function readOne(document: unknown): Checked {
  const parsed = documentSchema.safeParse(document);
  if (!parsed.success) {
    schema ??= scenarioJsonSchema();
    return { ok: false, faults: explainIssues(parsed.error.issues, document, schema) };
  }
  const words = checkWords(document as Document);
  if (words.length > 0) return { ok: false, faults: words };
  const scenario = normalise(parsed.data);
  const faults = checkScenario(scenario);
  return faults.length === 0 ? { ok: true, scenario } : { ok: false, faults };
}

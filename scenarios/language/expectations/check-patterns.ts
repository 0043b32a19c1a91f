import type { JsonObject } from '../../../world/json.ts';
import type { DocumentFault } from '../document/explain.ts';
import { hintFor } from '../document/nearest.ts';
import { valueAt } from '../document/place.ts';
import type { ScenarioDocument } from '../document/problem.ts';
import type { Scenario } from '../document/scenario.ts';
import { fillingOf, namesKeptBy } from '../steps/check-remembered.ts';
import { isRememberedName } from '../steps/remembered-value.ts';
import type { DocumentPlace } from '../vary/vary.ts';
import { answerStatuses } from './answer-bodies.ts';
import { answeredCall, PATTERN_ROWS, type PatternRow, type WrittenExpectation } from './compared-with.ts';
import { isSchema } from './possible.ts';
import { type PatternContext, unsatisfiable } from './unsatisfiable.ts';

type Filled = PatternContext['filled'];

/**
 * Expectations that can never hold: unknown names, impossible values, comparisons of the wrong type, invalid regular
 * expressions. With `never` such a word would always hold, and check nothing. `scenario`: the document as read.
 */
export function checkPatterns(document: ScenarioDocument, scenario: Scenario): readonly DocumentFault[] {
  const steps = document['steps'] as readonly JsonObject[];
  // Values of answers could be anything.
  const names = new Set(scenario.steps.flatMap(namesKeptBy));
  const filled: Filled = (text) => fillingOf(text, names);
  const namesUntil = (index: number) => scenario.steps.slice(0, index + 1).flatMap(namesKeptBy);
  return steps.flatMap((written, index) =>
    (['expect', 'never'] as const).flatMap((list) => {
      const given = written[list];
      if (given === undefined) return [];
      const maps = (Array.isArray(given) ? given : [given]) as readonly JsonObject[];
      const step = scenario.steps[index];
      return maps.flatMap((words, position) => {
        const place: DocumentPlace = ['steps', index, list, ...(Array.isArray(given) ? [position] : [])];
        return [
          ...PATTERN_ROWS.flatMap((row) => checkRow(row, { words, step, scenario }, place, filled)),
          ...unknownStatuses({ words, step, scenario }, place, filled),
          ...brokenExpressions(words, place, filled),
          ...namesNotKept(words, place, [], namesUntil(index)),
        ];
      });
    }),
  );
}

function checkRow(
  { path, named, comparedWith }: PatternRow,
  expectation: WrittenExpectation,
  place: DocumentPlace,
  filled: Filled,
): readonly DocumentFault[] {
  const pattern = valueAt(expectation.words, path);
  const found = pattern === undefined ? undefined : comparedWith(expectation);
  if (found === undefined) return [];
  const at = { place: [...place, ...path], path, ...(named === undefined ? {} : { named }) };
  return unsatisfiable(pattern, found.schemas, at, { root: found.root, filled });
}

/** Statuses that no answer of the service has; of an expected list one possible status is enough. */
function unknownStatuses(
  expectation: WrittenExpectation,
  place: DocumentPlace,
  filled: Filled,
): readonly DocumentFault[] {
  const { status } = expectation.words;
  const call = status === undefined ? undefined : answeredCall(expectation);
  const statuses = call === undefined ? undefined : answerStatuses(call);
  if (statuses === undefined) return [];
  const isList = Array.isArray(status);
  const given: readonly unknown[] = isList ? status : [status];
  const canBe = (one: unknown) => typeof one !== 'number' || statuses.includes(one);
  if (isList && place.includes('expect') && given.some(canBe)) return [];
  return given.flatMap((one, index) => {
    if (canBe(one)) return [];
    const at = { place: [...place, 'status', ...(isList ? [index] : [])], path: ['status'] };
    return unsatisfiable(one, [{ enum: statuses }], at, { root: {}, filled });
  });
}

/** Names in braces in place of a value, where no text is valid, and no earlier call remembers them. */
function namesNotKept(
  given: unknown,
  place: DocumentPlace,
  path: DocumentPlace,
  names: readonly string[],
): readonly DocumentFault[] {
  if (PATTERN_ROWS.some((row) => row.path.join('.') === path.join('.'))) return [];
  if (typeof given === 'object' && given !== null)
    return Object.entries(given).flatMap(([key, one]) => {
      const name = Array.isArray(given) ? Number(key) : key;
      return namesNotKept(one, [...place, name], [...path, name], names);
    });
  if (!isRememberedName(given) || names.includes(given.slice(1, -1))) return [];
  const message = `No call until then remembers ${given}.`;
  const hint = names.length === 0 ? HOW_TO_REMEMBER : hintFor(given.slice(1, -1), names);
  return [{ place, of: 'value', message, ...(hint === undefined ? {} : { hint }) }];
}

const HOW_TO_REMEMBER = 'A call keeps a part of its answer so: `remember: { name: body.id }`.';

function brokenExpressions(given: unknown, place: DocumentPlace, filled: Filled): readonly DocumentFault[] {
  if (Array.isArray(given))
    return given.flatMap((one, index) => brokenExpressions(one, [...place, index], filled));
  if (!isSchema(given)) return [];
  return Object.entries(given).flatMap(([name, one]) => {
    const there = [...place, name];
    if (name !== 'like' || typeof one !== 'string') return brokenExpressions(one, there, filled);
    const reason = filled(one) === 'nothing' ? reasonAgainst(one) : undefined;
    return reason === undefined ? [] : [{ place: there, of: 'value' as const, message: reason }];
  });
}

function reasonAgainst(expression: string): string | undefined {
  try {
    new RegExp(expression, 'u');
    return undefined;
  } catch (error) {
    return `${error instanceof Error ? error.message : 'It cannot be read'}.`;
  }
}

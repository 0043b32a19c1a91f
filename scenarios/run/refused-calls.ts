import type { Scenario, Step } from '../language/document/scenario.ts';
import type { ApiAnswer } from '../testbed/port/testbed.ts';
import type { StepResult } from './step-actions.ts';

/**
 * The warnings about the answers to a step's call: each with which the service refused it (400 to 499), unless some
 * step has an expectation about the answer. A `request` may be anything: its effect is that it was made.
 */
export function refusedCalls(
  step: Step,
  { steps }: Pick<Scenario, 'steps'>,
  answers: ReadonlyMap<number, ApiAnswer>,
): StepResult['warnings'] {
  const isJudged = steps.some((one) =>
    [...one.expect, ...one.never].some(
      (expectation) =>
        expectation.kind === 'answer' &&
        (expectation.of === undefined ? one === step : expectation.of === step.label),
    ),
  );
  if (isJudged || (step.does?.kind === 'call' && step.does.call.name === 'request')) return [];
  return [...answers].flatMap(([vehicle, { status, body }]) => {
    if (status < 400 || status > 499) return [];
    const text = `refused: ${status}${problemText(body)}`;
    return [vehicle === 0 ? { text } : { vehicle, text }];
  });
}

/** The type of the problem in a body, with a space before it. */
function problemText(body: unknown): string {
  const type: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'type') : undefined;
  return typeof type === 'string' ? ` ${type}` : '';
}

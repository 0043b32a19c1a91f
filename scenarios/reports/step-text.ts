import type { Scenario, Step } from '../language/document/scenario.ts';
import { stepName } from '../language/document/step-name.ts';
import { nameOf } from '../language/steps/request.ts';

type Steps = Pick<Scenario, 'steps' | 'stepLines'>;

/** The name of a step in reports: `step 2 "dark" (line 8)`. `index`: from 0. */
export function nameOfStep({ steps, stepLines }: Steps, index: number): string {
  return stepName(index, { label: steps[index]?.label, line: stepLines?.[index] });
}

/** The same with its action: `step 2 "dark" (line 8) weather coverage none`. */
export function stepText(scenario: Steps, index: number): string {
  return `${nameOfStep(scenario, index)}${actionText(scenario.steps[index])}`;
}

/** A step by its path, with its action: `steps[dark] weather coverage none`, `steps[3]`; the same in every report. */
export function stepPath({ steps }: Steps, index: number): string {
  return `steps[${steps[index]?.label ?? index}]${actionText(steps[index])}`;
}

/** The action after a space; empty: it has none. */
function actionText(step: Step | undefined): string {
  const text = actionOf(step);
  return text === '' ? '' : ` ${text}`;
}

function actionOf({ does }: Pick<Step, 'does'> = {}): string {
  switch (does?.kind) {
    case undefined:
      return '';
    case 'vehicle':
      return worded(does.act.name, does.act.settings);
    case 'call':
      return nameOf(does.call);
    case 'weather':
      return worded(`weather ${does.weather.name}`, does.weather.settings);
    case 'break':
      return worded(`${does.break.part} ${does.break.name}`, does.break.settings);
    default:
      return does satisfies never;
  }
}

/** A setting of one word is part of the name; others would be too long. */
function worded(name: string, settings: unknown): string {
  return typeof settings === 'string' ? `${name} ${settings}` : name;
}

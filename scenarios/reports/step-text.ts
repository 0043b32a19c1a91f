import type { Scenario, Step } from '../language/document/scenario.ts';
import { nameOf } from '../language/steps/request.ts';

/** A step as reports name it, with its action: `steps[dark] weather coverage none`, `steps[3]`. */
export function stepText({ steps }: Pick<Scenario, 'steps'>, index: number): string {
  const step = steps[index];
  const does = step === undefined ? '' : actionText(step);
  return `steps[${step?.label ?? index}]${does === '' ? '' : ` ${does}`}`;
}

function actionText({ does }: Step): string {
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

import type { ScenarioDocument } from '../language/document/problem.ts';
import { withoutSteps } from './smaller.ts';

type Step = Readonly<Record<string, unknown>>;

/** A step that looks for something stays, with its fault taken out. */
const LOOKS = ['expect', 'never'] as const;

/**
 * The document without its weather and breaks. A step of that kind that expects something stays, without the fault.
 * Undefined: it has none.
 */
export function withoutFaults(document: ScenarioDocument): ScenarioDocument | undefined {
  const steps = (document['steps'] ?? []) as readonly Step[];
  const faults = steps.flatMap((step, index) => ('weather' in step || 'break' in step ? [index] : []));
  if (faults.length === 0) return undefined;
  const looking = new Set(faults.filter((index) => LOOKS.some((word) => word in (steps[index] ?? {}))));
  const still = steps.map((step, index) => {
    if (!looking.has(index)) return step;
    const { weather: _weather, break: _break, for: _for, in: _in, ...rest } = step;
    return rest;
  });
  return withoutSteps({ ...document, steps: still }, new Set(faults.filter((index) => !looking.has(index))));
}

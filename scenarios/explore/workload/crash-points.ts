import { CRASH_POINTS } from '../../language/steps/backend-breaks.ts';
import type { RandomSource } from '../../language/vary/draw.ts';
import { type DrawnPart, drawnOne } from '../../language/vary/step-action.ts';

const POINTS = Object.keys(CRASH_POINTS);

/**
 * The steps, with crashes at each point as often as at another, and some of those without a point at one: a word is drawn as
 * its example half of the time, so that chance alone hardly crashes at the others.
 */
export function withEveryCrashPoint(source: RandomSource, steps: readonly DrawnPart[]): readonly DrawnPart[] {
  return steps.map((step) => {
    const { backend } = (step['break'] ?? {}) as { readonly backend?: { readonly crash?: DrawnPart } };
    if (backend?.crash === undefined) return step;
    const isAtPoint = backend.crash['point'] !== undefined || source.whole(0, 1) === 1;
    if (!isAtPoint) return step;
    const crash = { ...backend.crash, point: drawnOne(source, POINTS) };
    return { ...step, break: { backend: { crash } } };
  });
}

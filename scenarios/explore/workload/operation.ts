import type { ActName } from '../../language/steps/vehicle-acts.ts';
import type { RandomSource } from '../../language/vary/draw.ts';
import type { GeneratorOptions } from '../../language/vary/generate.ts';
import type { DrawnPart } from '../../language/vary/step-action.ts';

/** A part of the fleet that steps can name. */
export interface DrawnGroup {
  readonly as: string;
  readonly count: number;
  readonly kind: 'box' | 'maker' | 'shelf' | 'partner';
}

/** The input of an operation. */
export interface OperationContext {
  readonly atMs: number;
  /** The usual time between two operations of this run. */
  readonly gapMs: number;
  /** The last moment at which a step may begin. */
  readonly endMs: number;
  readonly groups: readonly DrawnGroup[];
  /** Acts of vehicles that may be drawn; none: only those that an operation is about. */
  readonly acts: readonly ActName[];
  /** Breaks that may be drawn, by their part. */
  readonly breaks: GeneratorOptions['breaks'];
  /** The number of this operation in its run, for unique names. */
  readonly number: number;
  /** A command that this run draws more often than others. */
  readonly preferred: string;
}

/** A step without its beginning, and its time. `on` names its vehicles. */
export interface TimedStep {
  readonly atMs: number;
  readonly step: DrawnPart;
}

/** One kind of work. */
export interface OperationRow {
  readonly does: string;
  /** Its weight among the others. */
  readonly share: number;
  /** It needs a group of one of these kinds. */
  readonly needs: readonly DrawnGroup['kind'][];
  draw(source: RandomSource, context: OperationContext, on: DrawnPart): readonly TimedStep[];
}

/** Some time after the operation begins, within a few of the usual gaps and before the end of the run. */
export function later(source: RandomSource, { atMs, gapMs, endMs }: OperationContext): number {
  return atMs + 1 + source.whole(0, Math.max(1, Math.min(gapMs * 4, endMs - atMs)));
}

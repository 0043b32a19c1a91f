import type { RandomSource } from '../../language/vary/draw.ts';
import type { DrawnPart } from '../../language/vary/step-action.ts';
import type { TimedStep } from './operation.ts';

/** The input of aimed work. */
export interface AimedContext {
  readonly atMs: number;
  readonly on: DrawnPart;
}

/** Work that tests one promise of a box. */
export interface AimedRow {
  readonly does: string;
  /** Its own vehicle, as a group of the fleet; absent: any of the fleet. */
  readonly group?: (source: RandomSource) => DrawnPart;
  draw(source: RandomSource, context: AimedContext): readonly TimedStep[];
}

/** The call of a command, by its name. */
export function command(name: string): DrawnPart {
  return { call: { command: name } };
}

/** The vehicle is unlocked and made ready, and somebody drives it. */
export function setOff(atMs: number, on: DrawnPart, drive: DrawnPart): readonly TimedStep[] {
  return [
    { atMs, step: { ...on, ...command('unlock-central-lock') } },
    { atMs: atMs + 1_500, step: { ...on, ...command('enable-driving') } },
    { atMs: atMs + 3_000, step: { ...on, drive } },
  ];
}

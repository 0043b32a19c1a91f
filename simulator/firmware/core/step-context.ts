import type { FlashOperation } from '../../../world/flash/flash.ts';
import { clockMs, counterMs } from '../power/rtc.ts';
import type { BoxFacts } from './box-hardware.ts';
import type { FirmwareEffect } from './effect.ts';
import type { BoxState, FlashPart, RamPart } from './state.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * One step while it is being worked out. Its two parts are copies of the state's, one level deep: the parts of the
 * firmware put new values into their fields, and never change a value in place.
 */
export interface StepContext {
  readonly at: number;
  readonly facts: BoxFacts;
  /** It began without power: what `flash` says is not what lies there, which only a boot reads. */
  readonly wasOff: boolean;
  readonly counterMs: number;
  readonly flash: Mutable<FlashPart>;
  readonly ram: Mutable<RamPart>;
  readonly writes: FlashOperation[];
  readonly effects: FirmwareEffect[];
}

/** Starts one step of the firmware: copies the state into a context that the step may change. */
export function beginStep(state: BoxState, at: number): StepContext {
  return {
    at,
    facts: state.facts,
    wasOff: state.ram.power === 'off',
    counterMs: counterMs(state.facts, at),
    flash: { ...state.flash },
    ram: { ...state.ram },
    writes: [],
    effects: [],
  };
}

/** The time as the box believes it, epoch milliseconds; 0: not known. */
export function boxTimeMs(context: StepContext): number {
  return clockMs(context.ram.clock, context.counterMs);
}

/** When something was that happened `at`, as the box believes it now; 0 where it does not know. */
export function boxTimeOf(context: StepContext, at: number | undefined): number {
  const clock = boxTimeMs(context);
  return clock === 0 || at === undefined ? 0 : Math.max(1, clock - Math.round(context.at - at));
}

import type { Signals } from '../../../protocol/signals.ts';
import type { FlashOperation } from '../../../world/flash/flash.ts';
import { clockMs, counterMs } from '../power/rtc.ts';
import type { BoxFacts } from './box-hardware.ts';
import type { FirmwareEffect } from './effect.ts';
import type { BoxState, FlashPart, RamPart } from './state.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * One step in progress. Its two parts are copies of the state's, one level deep: the firmware assigns new values
 * to their fields, and never changes a value in place.
 */
export interface StepContext {
  readonly at: number;
  readonly facts: BoxFacts;
  /** The step began without power: `flash` does not match the pages, which only a boot reads. */
  readonly wasOff: boolean;
  readonly counterMs: number;
  readonly flash: Mutable<FlashPart>;
  readonly ram: Mutable<RamPart>;
  readonly writes: FlashOperation[];
  readonly effects: FirmwareEffect[];
  /** The content of the last record of this step with signals; undefined: there is none. */
  recordedSignals: Signals | undefined;
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
    recordedSignals: undefined,
  };
}

/** The box's estimate of the time, epoch milliseconds; 0: not known. */
export function boxTimeMs(context: StepContext): number {
  return clockMs(context.ram.clock, context.counterMs);
}

/** The box's present estimate of the true time `at`; 0 where it does not know. */
export function boxTimeOf(context: StepContext, at: number | undefined): number {
  const clock = boxTimeMs(context);
  return clock === 0 || at === undefined ? 0 : Math.max(1, clock - Math.round(context.at - at));
}

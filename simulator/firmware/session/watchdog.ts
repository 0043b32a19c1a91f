import { limits } from '../../limits.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import type { RunningInput } from '../core/input.ts';
import type { StepContext } from '../core/step-context.ts';
import { checkPower, forceReset } from '../power/power.ts';
import type { Hang } from './session-state.ts';

/** Begins a hang, or changes its end to `forMs` from now. The watchdog's deadline does not change. */
export function hang(context: StepContext, forMs: number): void {
  const { power, hang: before } = context.ram;
  if (power !== 'up' && power !== 'booting') return;
  context.ram.hang = {
    bufferedInputs: before?.bufferedInputs ?? [],
    watchdogAt: before?.watchdogAt ?? context.at + limits.watchdogMs,
    until: context.at + forMs,
  };
}

/** Handles an input of a box that hangs. Returns the inputs that are due now: the buffered ones, then this one. */
export function inputsWhileHanging(
  context: StepContext,
  hangState: Hang,
  input: RunningInput,
): readonly RunningInput[] {
  if (input.kind === 'closed' || input.kind === 'acknowledged') return [input];
  if (input.kind !== 'tick') {
    context.ram.hang = withBufferedInput(context, hangState, input);
    return [];
  }
  if (!isAwake(context, hangState, input.sensors)) return [];
  context.ram.hang = undefined;
  return [...hangState.bufferedInputs, input];
}

function isAwake(context: StepContext, hangState: Hang, sensors: SensorInputs): boolean {
  if (!checkPower(context, sensors)) return false;
  if (context.at >= hangState.watchdogAt) {
    forceReset(context, 'WATCHDOG');
    return false;
  }
  return context.at >= hangState.until;
}

/** The buffer with one more, where there is room. */
function withBufferedInput(context: StepContext, hangState: Hang, input: RunningInput): Hang {
  if (hangState.bufferedInputs.length < limits.bufferedInputs)
    return { ...hangState, bufferedInputs: [...hangState.bufferedInputs, input] };
  const { counts } = context.ram;
  context.ram.counts = { ...counts, strayFrames: counts.strayFrames + 1 };
  return hangState;
}

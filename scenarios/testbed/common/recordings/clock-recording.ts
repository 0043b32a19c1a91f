import type { ClockError } from '../../../../judge/evidence/evidence.ts';
import { clockErrorMs, latestAheadMs } from '../../../../simulator/box/box-status.ts';
import type { BoxState } from '../../../../simulator/firmware/core/state.ts';
import { testbedLimits } from '../../../limits.ts';

/** The errors of all boxes' clocks over time, which shift the times that a box reports. */
export class ClockRecording {
  readonly #facts = new Map<number, ClockError[]>();

  /** Records the clock error after a step of a box. */
  record(vehicle: number, state: BoxState, atMs: number): void {
    let facts = this.#facts.get(vehicle);
    if (facts === undefined) {
      facts = [];
      this.#facts.set(vehicle, facts);
    }
    const isOff = state.ram.power === 'off';
    const errorMs = isOff ? undefined : clockErrorMs(state, atMs);
    const aheadMs = isOff ? undefined : latestAheadMs(state, atMs);
    const last = facts.at(-1);
    if (last !== undefined && isLike(last.errorMs, errorMs) && isLike(last.latestAheadMs, aheadMs)) return;
    facts.push({ fromMs: atMs, errorMs, latestAheadMs: aheadMs });
    if (facts.length > testbedLimits.clockFacts) facts.splice(0, testbedLimits.clockFacts / 2);
  }

  of(vehicle: number): readonly ClockError[] {
    return this.#facts.get(vehicle) ?? [];
  }
}

function isLike(before: number | undefined, now: number | undefined): boolean {
  if (before === undefined || now === undefined) return before === now;
  return Math.abs(now - before) < testbedLimits.clockStepMs;
}

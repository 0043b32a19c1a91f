import { clockErrorMs, latestAheadMs } from '../../../../simulator/box/box-status.ts';
import type { BoxState } from '../../../../simulator/firmware/core/state.ts';
import type { ClockError } from '../../port/evidence.ts';
import { limits } from '../limits.ts';

/** The errors of all boxes' clocks over time, by which the times that a box gives are wrong. */
export class ClockRecording {
  readonly #facts = new Map<number, ClockError[]>();

  /** Notes the clock error after a step of a box. */
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
    if (facts.length > limits.clockFacts) facts.splice(0, limits.clockFacts / 2);
  }

  of(vehicle: number): readonly ClockError[] {
    return this.#facts.get(vehicle) ?? [];
  }
}

function isLike(before: number | undefined, now: number | undefined): boolean {
  if (before === undefined || now === undefined) return before === now;
  return Math.abs(now - before) < limits.clockStepMs;
}

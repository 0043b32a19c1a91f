import type { BoxState } from '../../simulator/firmware/state.ts';
import { clockErrorMs } from '../../simulator/glance.ts';
import type { ClockFact } from '../run/evidence.ts';
import { limits } from './limits.ts';

/** How far the clocks of all boxes are off from the time, as they go on: what a box says of when is off as far. */
export class ClockBook {
  readonly #facts = new Map<number, ClockFact[]>();

  /** A box has taken a step. */
  take(vehicle: number, state: BoxState, atMs: number): void {
    let facts = this.#facts.get(vehicle);
    if (facts === undefined) {
      facts = [];
      this.#facts.set(vehicle, facts);
    }
    const errorMs = state.ram.power === 'off' ? undefined : clockErrorMs(state, atMs);
    const last = facts.at(-1);
    if (last !== undefined && isLike(last.errorMs, errorMs)) return;
    facts.push({ fromMs: atMs, errorMs });
    if (facts.length > limits.clockFacts) facts.splice(0, limits.clockFacts / 2);
  }

  of(vehicle: number): readonly ClockFact[] {
    return this.#facts.get(vehicle) ?? [];
  }
}

function isLike(before: number | undefined, now: number | undefined): boolean {
  if (before === undefined || now === undefined) return before === now;
  return Math.abs(now - before) < limits.clockStepMs;
}

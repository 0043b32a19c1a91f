import type { EffectTime, WatchedFault } from '../../port/watched-fault.ts';
import { type ActiveFault, hadNoEffect } from './active-fault.ts';

/** When one fault had its first effect, from its application to its removal. */
export class FaultWatch implements WatchedFault {
  #fault: ActiveFault | undefined;
  #effect: EffectTime = 'applying';
  /** It is being removed, and had no effect before. */
  #isEnding = false;
  #isOver = false;

  get effect(): EffectTime {
    const isQueried = this.#effect === 'not-yet' && !this.#isEnding && !this.#isOver;
    if (isQueried && this.#hadEffect()) this.#effect = 'since';
    return this.#effect;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** It is applied. */
  applied(fault: ActiveFault): void {
    if (this.#effect !== 'applying') return;
    this.#fault = fault;
    this.#effect = this.#hadEffect() ? 'immediate' : 'not-yet';
  }

  /** It is about to be removed. */
  removing(): void {
    this.#isEnding = this.effect === 'not-yet';
  }

  /** It was removed. Effects that only the removal shows, as that a ping was lost, may have been at any time. */
  removed(): void {
    if (this.#isEnding && this.#hadEffect()) this.#effect = 'immediate';
    this.#isOver = true;
  }

  /** An unknown effect counts, also one not known yet. */
  #hadEffect(): boolean {
    const effect = this.#fault?.effect();
    return effect !== undefined && (effect instanceof Promise || !hadNoEffect(effect));
  }
}

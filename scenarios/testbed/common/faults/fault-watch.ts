import type { Strike, WatchedFault } from '../../port/watched-fault.ts';
import { type AnyLaid, isNothing } from './struck.ts';

/** When one fault struck, from when it is laid until it is taken back. */
export class FaultWatch implements WatchedFault {
  #laid: AnyLaid | undefined;
  #strike: Strike = 'being-laid';
  /** It is being taken back, and had not struck before. */
  #isEnding = false;
  #isOver = false;

  get strike(): Strike {
    const isLooked = this.#strike === 'not-yet' && !this.#isEnding && !this.#isOver;
    if (isLooked && this.#hasStruck()) this.#strike = 'since';
    return this.#strike;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** It lies. */
  lies(laid: AnyLaid): void {
    if (this.#strike !== 'being-laid') return;
    this.#laid = laid;
    this.#strike = this.#hasStruck() ? 'as-laid' : 'not-yet';
  }

  /** It is about to be taken back. */
  ends(): void {
    this.#isEnding = this.strike === 'not-yet';
  }

  /** It was taken back. What only that tells, as that a ping was lost, may have been at any time. */
  isTakenBack(): void {
    if (this.#isEnding && this.#hasStruck()) this.#strike = 'as-laid';
    this.#isOver = true;
  }

  /** What nobody can know, or not at once, may be so. */
  #hasStruck(): boolean {
    const met = this.#laid?.met();
    return met !== undefined && (met instanceof Promise || !isNothing(met));
  }
}

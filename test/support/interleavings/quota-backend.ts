import type { Quota, QuotaResult } from '../../../backend/http/quota.ts';
import { afterAnswer, type QuotaShare, tellSpent, useOne } from '../../../backend/http/quota-share.ts';
import { makeSharedQuota } from '../../../backend/http/shared-quota.ts';
import type { QuotaAllotment, QuotaWish } from '../../../backend/store/port/quota-store.ts';
import { StoreFailed } from '../../../backend/store/port/store.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { type HeldCall, heldCall } from './held-call.ts';

/** The answer to a call of the client, by the clock of all. */
export interface Counted {
  readonly isRefused: boolean;
  /** When the quota begins anew, by the header. */
  readonly resetMs: number;
  /** The backend has counted for itself, as the store had failed. */
  readonly isAlone: boolean;
}

/** The shared quota of one backend, whose store and clock the explorer decides on, for one client. */
export class QuotaBackend {
  readonly name: string;
  call: (HeldCall & { readonly askedMs: number; readonly wish: QuotaWish; isLate: boolean }) | undefined;
  /** Calls of the client that wait. */
  waiting = 0;
  /** What it may let through by itself. */
  share: QuotaShare | undefined;
  /** What it has counted alone. */
  alone = { endsMs: 0, calls: 0 };
  readonly #quota: Quota;
  readonly #offsetMs: number;
  readonly #nowMs: () => number;
  readonly #counted: (backend: QuotaBackend, counted: Counted) => void;
  /** The store has failed last: what is answered then was counted alone. */
  isAlone = false;

  constructor(
    { name, offsetMs, limit }: { readonly name: string; readonly offsetMs: number; readonly limit: number },
    nowMs: () => number,
    take: (wish: QuotaWish) => QuotaAllotment,
    counted: (backend: QuotaBackend, counted: Counted) => void,
  ) {
    this.name = name;
    this.#offsetMs = offsetMs;
    this.#nowMs = nowMs;
    this.#counted = counted;
    const store = {
      take: (_: string, wish: QuotaWish): Promise<QuotaAllotment> => {
        const { call, promise } = heldCall('take', () => take(wish));
        this.call = Object.assign(call, { askedMs: nowMs(), wish, isLate: false });
        this.#endShare();
        this.share = tellSpent(this.share).share;
        return promise;
      },
    };
    this.#quota = makeSharedQuota({ nowMs: () => nowMs() + offsetMs }, store, limit);
  }

  /** The client calls so many times. */
  calls(count: number): void {
    this.isAlone = false;
    this.#endShare();
    for (let made = 0; made < count; made += 1) {
      this.waiting += 1;
      void Promise.resolve(this.#quota('client')).then((result) => this.#answered(result));
    }
  }

  /** Its call of the store ends. */
  end(how: 'answered' | 'failed'): void {
    const { call } = this;
    if (call === undefined) return;
    this.call = undefined;
    this.isAlone = how === 'failed';
    if (how === 'failed') {
      call.fail(new StoreFailed('The explorer wants it so.'));
      return;
    }
    const answer = call.done?.answer as QuotaAllotment;
    this.share = afterAnswer(this.share, answer, call.askedMs);
    call.answer(answer);
  }

  #endShare(): void {
    if (this.share !== undefined && this.share.resetMs <= this.#nowMs()) this.share = undefined;
  }

  #answered({ headers, refusal }: QuotaResult): void {
    this.waiting -= 1;
    const nowMs = this.#nowMs();
    if (this.isAlone) {
      if (this.alone.endsMs <= nowMs) this.alone = { endsMs: nowMs + LIMITS.quota.windowMs, calls: 0 };
      this.alone.calls += 1;
    } else this.share = useOne(this.share, nowMs).share;
    this.#counted(this, {
      isRefused: refusal !== undefined,
      resetMs: Number(headers['X-Rate-Limit-Reset']) * 1_000 - this.#offsetMs,
      isAlone: this.isAlone,
    });
  }
}

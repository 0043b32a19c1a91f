import { allot, type QuotaWindow } from '../../../backend/store/calls/quotas.ts';
import type { QuotaAllotment, QuotaWish } from '../../../backend/store/port/quota-store.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { Move, Stage } from './explore.ts';
import { type Counted, QuotaBackend } from './quota-backend.ts';

export interface QuotaStageOptions {
  readonly backends: number;
  readonly limit: number;
  /** Calls of the first window that a backend before these has let through. */
  readonly used: number;
  /** How many calls of the client come together. */
  readonly bursts: readonly number[];
  /** How often it calls, at most. */
  readonly times: number;
  readonly stepMs: number;
}

/** A window of the client's quota, as it was. */
interface Passed {
  readonly endsMs: number;
  admitted: number;
  /** Calls that were given out in answers that are in flight. */
  inFlight: number;
  /** Calls that were given out in answers that were lost, or came when the window was over. */
  lost: number;
}

/** The part of the limit that may be unused when a call is refused: docs/decisions/0034-a-quota-is-given-out-in-blocks.md. */
const UNUSED = 0.1;

const { windowMs } = LIMITS.quota;

/** Backends that share the quota of a client. */
export class QuotaStage implements Stage {
  passedMs = 0;
  readonly #options: QuotaStageOptions;
  readonly #backends: readonly QuotaBackend[];
  #bursts = 0;
  #known: QuotaWindow | undefined;
  /** The window that began last. */
  #window: Passed | undefined;
  #wrong: string | undefined;

  constructor(options: QuotaStageOptions) {
    this.#options = options;
    const { used } = options;
    this.#known = { endsMs: windowMs, granted: used, used };
    this.#window = { endsMs: windowMs, admitted: used, inFlight: 0, lost: 0 };
    this.#backends = Array.from(
      { length: options.backends },
      (_, index) =>
        new QuotaBackend(
          {
            name: String.fromCharCode('a'.charCodeAt(0) + index),
            offsetMs: index * 100_000_000,
            limit: options.limit,
          },
          () => this.passedMs,
          (wish) => this.#take(wish),
          (backend, counted) => this.#count(backend, counted),
        ),
    );
  }

  moves(): readonly Move[] {
    const moves: Move[] = [];
    for (const { name, call } of this.#backends) {
      if (call === undefined) continue;
      moves.push({ name: `${name} is answered`, deviations: 0 });
      if (call.done === undefined) moves.push({ name: `${name} is carried out`, deviations: 0 });
      moves.push({ name: `${name} fails`, deviations: 1 });
    }
    const onTime = this.#backends.filter(({ call }) => call?.isLate === false).length;
    moves.push({ name: 'time passes', deviations: onTime });
    // More of those that wait are alike.
    if (this.#bursts < this.#options.times)
      for (const { name } of this.#backends)
        for (const burst of this.#options.bursts)
          moves.push({ name: `${name} calls ${burst}`, deviations: 0 });
    return moves;
  }

  make(move: string): void {
    if (move === 'time passes') {
      for (const { call } of this.#backends) if (call !== undefined) call.isLate = true;
      this.passedMs += this.#options.stepMs;
      return;
    }
    const [name, what = '', ...words] = move.split(' ');
    const backend = this.#backends.find((one) => one.name === name);
    if (backend === undefined) throw new Error(`There is no ${name}.`);
    if (what === 'calls') {
      this.#bursts += 1;
      backend.calls(Number(words[0]));
    } else this.#decide(backend, [what, ...words].join(' '));
  }

  key(): string {
    const left = (ms: number) => Math.max(0, ms - this.passedMs);
    const known = this.#known;
    const isOver = known === undefined || known.endsMs <= this.passedMs;
    const store = isOver ? '' : `${left(known.endsMs)},${known.granted},${known.used}`;
    const window = this.#window;
    const passed =
      window === undefined || window.endsMs <= this.passedMs
        ? ''
        : `${window.admitted},${window.inFlight},${window.lost}`;
    const backends = this.#backends.map(({ waiting, share, alone, call }) => {
      const isUsable = share !== undefined && (call !== undefined || share.resetMs > this.passedMs);
      return [
        waiting,
        isUsable ? [left(share.resetMs), left(share.endsMs), share.calls, share.spent, share.left] : '',
        alone.endsMs > this.passedMs ? [left(alone.endsMs), alone.calls] : '',
        call === undefined ? '' : this.#callKey(call),
      ].join();
    });
    return [this.#bursts, store, passed, ...backends].join(' / ');
  }

  violation(): string | undefined {
    const kept = this.#backends.find(({ isAlone, waiting }) => isAlone && waiting > 0);
    if (kept !== undefined) this.#wrong ??= `${kept.name} keeps calls waiting after the store has failed.`;
    return this.#wrong;
  }

  isAsPromised(): boolean {
    return this.#backends.every(({ waiting }) => waiting === 0);
  }

  #callKey({ wish, askedMs, isLate, done }: NonNullable<QuotaBackend['call']>): string {
    const answer = done?.answer as QuotaAllotment | undefined;
    const told =
      wish.spent === undefined ? '' : [Math.max(0, wish.spent.endsMs - this.passedMs), wish.spent.calls];
    const given = answer && [
      answer.calls,
      answer.left,
      Math.max(0, answer.endsMs - this.passedMs),
      answer.remainingMs,
    ];
    return [wish.wanted, told, Math.min(windowMs, this.passedMs - askedMs), isLate, given ?? ''].join();
  }

  #take(wish: QuotaWish): QuotaAllotment {
    const { window, allotment } = allot(this.#known, wish, this.passedMs);
    this.#known = window;
    if (this.#window?.endsMs !== window.endsMs)
      this.#window = { endsMs: window.endsMs, admitted: 0, inFlight: 0, lost: 0 };
    this.#window.inFlight += allotment.calls;
    if (window.used > this.#window.admitted)
      this.#wrong ??= `The store was told of ${window.used} used calls, and ${this.#window.admitted} were let through.`;
    return allotment;
  }

  #decide(backend: QuotaBackend, how: string): void {
    const { call } = backend;
    if (call === undefined) throw new Error(`${backend.name} asks for nothing.`);
    if (how !== 'fails') call.done ??= { answer: call.carryOut() };
    if (how === 'is carried out') return;
    const given = call.done?.answer as QuotaAllotment | undefined;
    if (given !== undefined && given.endsMs === this.#window?.endsMs) {
      this.#window.inFlight -= given.calls;
      // By the clock of the backend, which goes by when it asked.
      const isOver = call.askedMs + given.remainingMs <= this.passedMs;
      if (how === 'fails' || isOver) this.#window.lost += given.calls;
    }
    backend.end(how === 'fails' ? 'failed' : 'answered');
  }

  #count({ name, alone }: QuotaBackend, { isRefused, resetMs, isAlone }: Counted): void {
    const { limit } = this.#options;
    if (isAlone) {
      if (isRefused !== alone.calls > limit)
        this.#wrong ??= `${name}, which counts alone, ${isRefused ? 'refuses' : 'lets through'} call ${alone.calls} of a minute.`;
      return;
    }
    const window = this.#window;
    const isThere =
      window !== undefined && this.passedMs < window.endsMs && window.endsMs - windowMs <= this.passedMs;
    if (!isThere) {
      this.#wrong ??= `${name} ${isRefused ? 'refuses' : 'lets through'} a call for a window that is over.`;
      return;
    }
    if (resetMs > window.endsMs)
      this.#wrong ??= `${name} tells ${resetMs - window.endsMs} ms too late a reset.`;
    if (!isRefused) window.admitted += 1;
    if (window.admitted > limit) this.#wrong ??= `${name} lets through ${window.admitted} of ${limit} calls.`;
    const used = window.admitted + window.inFlight + window.lost;
    if (isRefused && used < (1 - UNUSED) * limit)
      this.#wrong ??= `${name} refuses a call, and ${used} of ${limit} calls are used.`;
  }
}

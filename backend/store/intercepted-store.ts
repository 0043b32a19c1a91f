import { sleep, type Time } from '../../world/time/time.ts';
import { type Parts, READS, type Store, StoreFailed } from './port/store.ts';

/**
 * Intercepts a call to a store: `carryOut` makes it, and rejects if the medium fails. `isRead`: the call
 * writes nothing.
 */
export type Interception = (carryOut: () => Promise<unknown>, isRead: boolean) => Promise<unknown>;

/** The same store, whose calls go through `intercept`. `listen` and `close` are not intercepted. */
export function interceptedStore(store: Store, intercept: Interception): Store {
  const parts = Object.entries(READS).map(([name, reads]) => {
    const part = store[name as keyof Parts];
    return [name, interceptedPart(part, new Set<string>(reads), intercept)];
  });
  return {
    ...(Object.fromEntries(parts) as Parts),
    listen: (listener) => store.listen(listener),
    close: () => store.close(),
  };
}

function interceptedPart<Part extends object>(
  part: Part,
  reads: ReadonlySet<string>,
  intercept: Interception,
): Part {
  // A call's wrapper is created when it is first used: these calls are made for each record.
  const calls = new Map<string | symbol, unknown>();
  return new Proxy(part, {
    get(target, name) {
      const there = calls.get(name);
      if (there !== undefined) return there;
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const isRead = reads.has(String(name));
      const call = (...parameters: unknown[]): Promise<unknown> =>
        intercept(() => Reflect.apply(member, target, parameters) as Promise<unknown>, isRead);
      calls.set(name, call);
      return call;
    },
  });
}

/**
 * The same store for one instance of the backend. After `sever` no call of that instance reaches the store, and none
 * that is in progress returns: as after kill -9, its pending work has no effect. Its listeners are no longer called.
 */
export function severableStore(store: Store): { readonly store: Store; sever(): void } {
  let isSevered = false;
  const never = (): Promise<never> => new Promise(() => undefined);
  const came = <T>(value: T): T | Promise<never> => (isSevered ? never() : value);
  const failed = (error: unknown): Promise<never> => (isSevered ? never() : Promise.reject(error));
  const intercepted = interceptedStore(store, (carryOut) =>
    isSevered ? never() : carryOut().then(came, failed),
  );
  return {
    store: {
      ...intercepted,
      listen: (listener) =>
        intercepted.listen((wakeUp) => {
          if (!isSevered) listener(wakeUp);
        }),
    },
    sever() {
      isSevered = true;
    },
  };
}

/**
 * The same store; `failed` is called for each write that fails because of the medium. A successful write proves
 * nothing: many write no rows.
 */
export function watchedStore(store: Store, failed: () => void): Store {
  return interceptedStore(store, (carryOut, isRead) => {
    const call = carryOut();
    if (isRead) return call;
    // Any other error is an answer of the store, whose medium works.
    call.catch((error: unknown) => {
      if (error instanceof StoreFailed) failed();
    });
    return call;
  });
}

/** The faults of a medium at a moment. */
export interface StoreFault {
  /** `writes`: reads work, as with a full disk. */
  readonly failing: 'nothing' | 'writes' | 'everything';
  /** The extra delay of each call before it has any effect. */
  readonly slowMs: number;
  /** Called after each successful write: whether its answer is an error nevertheless. Absent: never. */
  readonly losesAnswer?: () => boolean;
  /** Called for each call that this fault delays or fails. */
  readonly met?: (isRead: boolean) => void;
}

export const NO_FAULT: StoreFault = { failing: 'nothing', slowMs: 0 };

const WORDS: Readonly<Record<StoreFault['failing'], string>> = {
  nothing: '',
  writes: 'The store is set to be full.',
  everything: 'The store is set to fail.',
};

/**
 * The same store on a medium with faults: a call that fails rejects with `StoreFailed`, and nothing of it is written; one
 * whose answer is lost rejects too, and is written. A slow one waits in `time` first, and meets the fault at the moment of
 * its execution. If that time ends (a crash), the waiting calls end with it.
 */
export function faultyStore(store: Store, time: Time, fault: () => StoreFault): Store {
  return interceptedStore(store, async (carryOut, isRead) => {
    const atFirst = fault();
    if (atFirst.slowMs > 0) {
      atFirst.met?.(isRead);
      await sleep(time, atFirst.slowMs);
    }
    const { failing, losesAnswer, met } = fault();
    if (failing === 'everything' || (failing === 'writes' && !isRead)) {
      met?.(isRead);
      throw new StoreFailed(WORDS[failing]);
    }
    if (isRead || losesAnswer === undefined) return carryOut();
    const answer = await carryOut();
    if (losesAnswer()) throw new StoreFailed('The store is set to answer with an error.');
    return answer;
  });
}

import { sleep, type Time } from '../../world/time.ts';
import { type Parts, READS } from './reads.ts';
import { type Store, StoreFailed } from './store.ts';

/** What is wrong with a medium at a moment. */
export interface StoreFault {
  /** `writes`: what only reads goes on, as with a full disk. */
  readonly failing: 'nothing' | 'writes' | 'everything';
  /** Every call takes so much longer before anything of it happens. */
  readonly slowMs: number;
}

export const NO_FAULT: StoreFault = { failing: 'nothing', slowMs: 0 };

/**
 * The same store on a medium with faults: a call that fails rejects with `StoreFailed`, and nothing of it is written.
 * A slow one waits in `time` first, and meets the fault of when it is carried out. Whoever ends that time (a crash)
 * ends the calls that wait. `close` is let through.
 */
export function faultyStore(store: Store, time: Time, fault: () => StoreFault): Store {
  const parts = Object.entries(READS).map(([name, reads]) => {
    const part = store[name as keyof Parts];
    return [name, faultyPart(part, new Set<string>(reads), time, fault)];
  });
  return { ...(Object.fromEntries(parts) as Parts), close: () => store.close() };
}

function faultyPart<Part extends object>(
  part: Part,
  reads: ReadonlySet<string>,
  time: Time,
  fault: () => StoreFault,
): Part {
  // A call's function is made when it is first asked for: these calls are made for each record.
  const guarded = new Map<string | symbol, unknown>();
  return new Proxy(part, {
    get(target, name) {
      const there = guarded.get(name);
      if (there !== undefined) return there;
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const isRead = reads.has(String(name));
      const carryOut = (parameters: unknown[]): Promise<unknown> => {
        const { failing } = fault();
        const isRefused = failing === 'everything' || (failing === 'writes' && !isRead);
        if (isRefused) return Promise.reject(new StoreFailed(WORDS[failing]));
        return Reflect.apply(member, target, parameters) as Promise<unknown>;
      };
      const made = async (...parameters: unknown[]): Promise<unknown> => {
        const { slowMs } = fault();
        if (slowMs === 0) return carryOut(parameters);
        await sleep(time, slowMs);
        return carryOut(parameters);
      };
      guarded.set(name, made);
      return made;
    },
  });
}

const WORDS: Readonly<Record<StoreFault['failing'], string>> = {
  nothing: '',
  writes: 'The store was told to be full.',
  everything: 'The store was told to fail.',
};

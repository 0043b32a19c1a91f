import { type Parts, READS } from './reads.ts';
import { type Store, StoreFailed } from './store.ts';

/**
 * The same store; `failed` hears of each write that fails for the medium's sake, whoever made it. A write that ends well
 * says nothing: many have nothing to write.
 */
export function watchedStore(store: Store, failed: () => void): Store {
  const parts = Object.entries(READS).map(([name, reads]) => [
    name,
    watchedPart(store[name as keyof Parts], new Set<string>(reads), failed),
  ]);
  return { ...(Object.fromEntries(parts) as Parts), close: () => store.close() };
}

function watchedPart<Part extends object>(part: Part, reads: ReadonlySet<string>, failed: () => void): Part {
  // A call's function is made when it is first asked for: these calls are made for each record.
  const made = new Map<string | symbol, unknown>();
  return new Proxy(part, {
    get(target, name) {
      const there = made.get(name);
      if (there !== undefined) return there;
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || reads.has(String(name))) return member;
      const watched = (...parameters: unknown[]): Promise<unknown> => {
        const call = Reflect.apply(member, target, parameters) as Promise<unknown>;
        // Any other error is an answer of the store, whose medium works.
        call.catch((error: unknown) => {
          if (error instanceof StoreFailed) failed();
        });
        return call;
      };
      made.set(name, watched);
      return watched;
    },
  });
}

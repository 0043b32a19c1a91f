import { type Store, StoreFailed } from './store.ts';

/**
 * The same store, whose calls reject with `StoreFailed` as long as `isFailing` says so, as those of a full disk do:
 * nothing of such a call is written. `close` is let through.
 */
export function failingStore(store: Store, isFailing: () => boolean): Store {
  return new Proxy(store, {
    get(target, name) {
      const part: unknown = Reflect.get(target, name);
      return typeof part === 'object' && part !== null ? failingPart(part, isFailing) : part;
    },
  });
}

function failingPart<T extends object>(part: T, isFailing: () => boolean): T {
  return new Proxy(part, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...parameters: unknown[]): Promise<unknown> =>
        isFailing()
          ? Promise.reject(new StoreFailed('The store was told to fail.'))
          : (Reflect.apply(member, target, parameters) as Promise<unknown>);
    },
  });
}

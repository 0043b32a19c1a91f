import type { Store } from './store.ts';

/**
 * The same store for one incarnation of the backend. After `sever` no call of that incarnation reaches the store,
 * and none that is under way comes back: as after kill -9, what it still had in mind no longer acts.
 */
export function severableStore(store: Store): { readonly store: Store; sever(): void } {
  let isSevered = false;
  const never = (): Promise<never> => new Promise(() => undefined);

  function gate<T extends object>(part: T): T {
    return new Proxy(part, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...parameters: unknown[]): Promise<unknown> => {
          if (isSevered) return never();
          return (Reflect.apply(member, target, parameters) as Promise<unknown>).then(
            (value) => (isSevered ? never() : value),
            (error: unknown) => (isSevered ? never() : Promise.reject(error)),
          );
        };
      },
    });
  }

  return {
    store: {
      access: gate(store.access),
      grants: gate(store.grants),
      vehicles: gate(store.vehicles),
      ingest: gate(store.ingest),
      commands: gate(store.commands),
      outbox: gate(store.outbox),
      configuration: gate(store.configuration),
      bulk: gate(store.bulk),
      setup: gate(store.setup),
      thirdParty: gate(store.thirdParty),
      subscriptions: gate(store.subscriptions),
      census: gate(store.census),
      close: () => store.close(),
    },
    sever() {
      isSevered = true;
    },
  };
}

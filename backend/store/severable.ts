import type { Store } from './store.ts';

/**
 * The same store for one incarnation of the backend. After `sever` no call of that incarnation reaches the store,
 * and none that is under way comes back: as after kill -9, what it still had in mind no longer acts.
 */
export function severableStore(store: Store): { readonly store: Store; sever(): void } {
  let isSevered = false;
  const never = (): Promise<never> => new Promise(() => undefined);

  const came = <T>(value: T): T | Promise<never> => (isSevered ? never() : value);
  const failed = (error: unknown): Promise<never> => (isSevered ? never() : Promise.reject(error));

  function gate<T extends object>(part: T): T {
    // A call's function is made when it is first asked for: these calls are made for each record.
    const gated = new Map<string | symbol, unknown>();
    return new Proxy(part, {
      get(target, name) {
        const there = gated.get(name);
        if (there !== undefined) return there;
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        const made = (...parameters: unknown[]): Promise<unknown> =>
          isSevered
            ? never()
            : (Reflect.apply(member, target, parameters) as Promise<unknown>).then(came, failed);
        gated.set(name, made);
        return made;
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

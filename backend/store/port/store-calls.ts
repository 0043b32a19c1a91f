import { NameTaken } from './grants-store.ts';
import { type Parts, READS, type Store, StoreFailed, StoreInUse, StoreTooNew } from './store.ts';
import { BoxTaken } from './vehicle-store.ts';

/** A call of the store as data. */
export interface StoreCall {
  readonly part: keyof Parts;
  readonly name: string;
  readonly parameters: readonly unknown[];
}

/** Whether it only reads. */
export function isRead({ part, name }: Pick<StoreCall, 'part' | 'name'>): boolean {
  return (READS[part] as readonly string[]).includes(name);
}

/** The outcome of a call: its result, or the error that it rejects with. */
export type StoreOutcome = { readonly value: unknown } | { readonly error: unknown };

/** The names of all calls, by part: the members of any object that has them. */
export type CallNames = { readonly [Part in keyof Parts]: object };

/** A store whose writes are carried out by `write` and whose reads by `read`. */
export function storeOfCalls(
  names: CallNames,
  carryOut: {
    readonly write: (call: StoreCall) => Promise<unknown>;
    readonly read: (call: StoreCall) => Promise<unknown>;
    readonly listen: Store['listen'];
    readonly close: () => Promise<void>;
  },
): Store {
  const partOf = (part: keyof Parts): object => {
    const reads = new Set<string>(READS[part]);
    const members = Object.keys(names[part]).map((name) => {
      const how = reads.has(name) ? carryOut.read : carryOut.write;
      return [name, (...parameters: readonly unknown[]) => how({ part, name, parameters })];
    });
    return Object.fromEntries(members) as object;
  };
  const parts = Object.fromEntries(
    (Object.keys(READS) as (keyof Parts)[]).map((part) => [part, partOf(part)]),
  );
  // The members have the names of the port's calls, and pass their parameters and results through.
  return { ...(parts as unknown as Parts), listen: carryOut.listen, close: carryOut.close };
}

/** The errors of the port, by their names. */
export const STORE_ERRORS: Readonly<Record<string, new (message: string, options?: ErrorOptions) => Error>> =
  { StoreFailed, StoreInUse, StoreTooNew, BoxTaken, NameTaken };

import type { AccessStore, Client } from '../../../../backend/store/port/access-store.ts';
import { type ActiveFault, immediate } from './active-fault.ts';

/** An operator's change of a client: deletes it, or takes some of its permissions. */
export type ClientChange = 'deleted' | ReadonlySet<string>;

/**
 * The clients of a run, as operators change them while their tokens live. Several changes of one client apply at the
 * same time, and the client is as it was when the last of them is removed.
 */
export class ClientChanges {
  readonly #store: () => Pick<AccessStore, 'findClient' | 'saveClient' | 'deleteClient'>;
  readonly #idOf: (name: string) => string | undefined;
  readonly #askedBy: (name: string) => number;
  readonly #changed = new Map<
    string,
    { readonly was: Client; readonly changes: Set<{ readonly change: ClientChange }> }
  >();

  /** `idOf`: the client id of a client of the scenario; `askedBy`: how often it has called the service. */
  constructor(
    store: () => Pick<AccessStore, 'findClient' | 'saveClient' | 'deleteClient'>,
    idOf: (name: string) => string | undefined,
    askedBy: (name: string) => number,
  ) {
    this.#store = store;
    this.#idOf = idOf;
    this.#askedBy = askedBy;
  }

  /**
   * Resolves with what removes the change; its text says that there is no such client, that it had none of these
   * permissions, or that it made no call meanwhile.
   */
  async begin(name: string, change: ClientChange): Promise<ActiveFault> {
    const id = this.#idOf(name);
    const isUnknown = immediate(0, `there is no client ${name}`);
    if (id === undefined) return isUnknown;
    const known = this.#changed.get(id);
    const was = known?.was ?? (await this.#store().findClient(id));
    if (was === undefined) return isUnknown;
    const changes = known?.changes ?? new Set();
    this.#changed.set(id, { was, changes });
    const own = { change };
    changes.add(own);
    await this.#apply(id);
    const askedBefore = this.#askedBy(name);
    const isOther = change === 'deleted' || was.permissions.some((permission) => change.has(permission));
    const effect = (): number => (isOther ? this.#askedBy(name) - askedBefore : 0);
    const end = async (): Promise<string | undefined> => {
      changes.delete(own);
      await this.#apply(id);
      if (!isOther) return `${name} had none of these permissions`;
      return effect() > 0 ? undefined : `${name} asked nothing while it lasted`;
    };
    return { effect, end };
  }

  async #apply(id: string): Promise<void> {
    const { was, changes } = this.#changed.get(id) ?? {};
    if (was === undefined || changes === undefined) return;
    const all = [...changes].map(({ change }) => change);
    if (all.includes('deleted')) {
      await this.#store().deleteClient(id);
      return;
    }
    const taken = new Set(all.flatMap((change) => (change === 'deleted' ? [] : [...change])));
    await this.#store().saveClient({
      ...was,
      permissions: was.permissions.filter((permission) => !taken.has(permission)),
    });
  }
}

import type { World } from '../../world/world.ts';
import type { AccessStore } from '../store/store.ts';

/** A client to be made. Id and secret are minted where they are not given. */
export interface NewClient {
  readonly fleetId: string;
  /** Kebab-case names of access/permissions.ts. */
  readonly permissions: readonly string[];
  /** 1 to 64 characters of `A-Za-z0-9._~-`, as the secret: they need no encoding in an Authorization header. */
  readonly id?: string;
  readonly secret?: string;
}

/** Writes a client down, or replaces the one of that id, and tells its secret: the store has only its hash. */
export declare function registerClient(
  store: Pick<AccessStore, 'saveClient'>,
  world: Pick<World, 'seal' | 'mint' | 'time'>,
  client: NewClient,
): Promise<{ readonly clientId: string; readonly clientSecret: string }>;

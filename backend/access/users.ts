import { LIMITS } from '../../contract/limits.ts';
import { isPermission } from '../../contract/permissions.ts';
import type { World } from '../../world/world.ts';
import type { GrantsStore, User } from '../store/port/grants-store.ts';

/** A person to register. */
export interface NewUser {
  readonly fleetId: string;
  /** 1 to 64 visible characters; unique in the service. */
  readonly name: string;
  /** 10 to 256 characters. */
  readonly password: string;
  /** Kebab-case names of contract/permissions.ts. */
  readonly permissions: readonly string[];
}

/**
 * Stores a person. Of the password the store has only a slow hash. Rejects with a RangeError for an invalid
 * name, password or permission, and with `NameTaken` for a name that is taken: then nothing was written.
 */
export async function registerUser(
  store: Pick<GrantsStore, 'saveUser'>,
  world: Pick<World, 'crypto' | 'ids' | 'time'>,
  user: NewUser,
): Promise<User> {
  const { userNameCharacters, passwordCharacters, leastPasswordCharacters } = LIMITS.access;
  if (user.name.length > userNameCharacters || !/^[^\s\p{Cc}]+$/u.test(user.name))
    throw new RangeError(`a user's name is 1 to ${userNameCharacters} characters, without spaces`);
  if (user.password.length < leastPasswordCharacters || user.password.length > passwordCharacters)
    throw new RangeError(`a password is ${leastPasswordCharacters} to ${passwordCharacters} characters`);
  const unknown = user.permissions.find((name) => !isPermission(name));
  if (unknown !== undefined) throw new RangeError(`there is no permission ${unknown}`);
  const record = {
    id: `user-${world.ids.ulid()}`,
    fleetId: user.fleetId,
    name: user.name,
    passwordHash: await world.crypto.hashSecret(user.password),
    permissions: user.permissions,
    createdMs: world.time.nowMs(),
  };
  await store.saveUser(record);
  return record;
}

import { limits } from '../../limits.ts';
import type { PermissionTexts } from './permissions.ts';

/** A stored user of the broker. */
export interface ManagedUser {
  readonly name: string;
  /** From `Crypto.hashSecret`. */
  readonly secretHash: string;
  /** In the virtual host `/`; undefined: the user may sign in and nothing else. */
  readonly permissions: PermissionTexts | undefined;
}

export type UserChange =
  | { readonly kind: 'put-user'; readonly name: string; readonly secretHash: string }
  | { readonly kind: 'put-permissions'; readonly name: string; readonly permissions: PermissionTexts }
  | { readonly kind: 'delete-user'; readonly name: string };

/** `unknown`: there is no such user. `full`: a limit is reached. Neither changes anything. */
export type ChangeOutcome = 'created' | 'changed' | 'deleted' | 'unknown' | 'full';

const NAME = /^[A-Za-z0-9_][A-Za-z0-9._@+:-]*$/;

/** The rules for a name, in words. */
export const NAME_RULE = `1 to ${limits.users.nameCharacters} ASCII letters, digits and . _ @ + : -, beginning with a letter, a digit or _`;

/** Whether a user may have this name: it can be used unescaped in a path, a log line and a file. */
export function isUserName(name: string): boolean {
  return name.length <= limits.users.nameCharacters && NAME.test(name);
}

/** All users, each with its line of the file, so that a change rewrites only its own line. */
export class UserTable {
  readonly #entries: Map<string, { readonly user: ManagedUser; readonly line: string }>;
  /** Of all lines, with their ends. */
  #bytes: number;

  constructor(from?: UserTable) {
    this.#entries = new Map(from === undefined ? [] : from.#entries);
    this.#bytes = from === undefined ? 0 : from.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(name: string): ManagedUser | undefined {
    return this.#entries.get(name)?.user;
  }

  /** Each user as a line of JSON, in the order of creation. */
  lines(): readonly string[] {
    return [...this.#entries.values()].map(({ line }) => line);
  }

  /** Changes this table. A refused change leaves it unmodified. */
  apply(change: UserChange): ChangeOutcome {
    const { name } = change;
    const before = this.get(name);
    switch (change.kind) {
      case 'put-user': {
        const isKept = this.#put({
          name,
          secretHash: change.secretHash,
          permissions: before?.permissions,
        });
        if (!isKept) return 'full';
        return before === undefined ? 'created' : 'changed';
      }
      case 'put-permissions': {
        if (before === undefined) return 'unknown';
        if (!this.#put({ ...before, permissions: change.permissions })) return 'full';
        return before.permissions === undefined ? 'created' : 'changed';
      }
      case 'delete-user':
        this.#remove(name);
        return before === undefined ? 'unknown' : 'deleted';
      default:
        return change satisfies never;
    }
  }

  #put(user: ManagedUser): boolean {
    const line = lineOf(user);
    const before = this.#entries.get(user.name)?.line;
    const bytes = this.#bytes + sizeOf(line) - (before === undefined ? 0 : sizeOf(before));
    if (before === undefined && this.size >= limits.users.users) return false;
    // One line is left for the head of the file.
    if (bytes > limits.users.fileBytes - limits.users.bodyBytes) return false;
    this.#entries.set(user.name, { user, line });
    this.#bytes = bytes;
    return true;
  }

  #remove(name: string): void {
    const before = this.#entries.get(name);
    if (before === undefined) return;
    this.#entries.delete(name);
    this.#bytes -= sizeOf(before.line);
  }
}

function lineOf({ name, secretHash, permissions }: ManagedUser): string {
  return JSON.stringify({ name, secret_hash: secretHash, permissions: permissions ?? null });
}

function sizeOf(line: string): number {
  return Buffer.byteLength(line, 'utf8') + 1;
}

import type { AmqpOperation } from './state.ts';

/**
 * Permissions as in RabbitMQ: a pattern for each operation, matched against the name of the exchange or
 * queue.
 */
export type PermissionPatterns = Readonly<Record<AmqpOperation, RegExp>>;

/** Matches no name. */
export const NO_NAME = /^$/;

/**
 * The permissions of users by their patterns, which match anywhere in a name unless they are anchored. A user
 * without patterns has no permission.
 */
export function permitsByPatterns(
  patternsOf: (user: string) => PermissionPatterns | undefined,
): (user: string, operation: AmqpOperation, name: string) => boolean {
  // With the flag g, `test` would continue at the last match; `search` does not.
  return (user, operation, name) => {
    const pattern = patternsOf(user)?.[operation];
    return pattern !== undefined && name.search(pattern) >= 0;
  };
}

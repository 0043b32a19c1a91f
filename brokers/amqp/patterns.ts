import type { Operation } from './state.ts';

/** Rights as RabbitMQ has them: a pattern for each operation, held against the name of the exchange or queue. */
export type Patterns = Readonly<Record<Operation, RegExp>>;

/** Every right, or none. */
export const EVERYTHING = /.*/;
export const NOTHING = /^$/;

/**
 * The rights of users by their patterns, which match anywhere in a name unless they are anchored. Who has none may do
 * nothing.
 */
export function permitsByPatterns(
  patternsOf: (user: string) => Patterns | undefined,
): (user: string, operation: Operation, name: string) => boolean {
  // A pattern with the flag g would remember where it stopped: search does not.
  return (user, operation, name) => {
    const pattern = patternsOf(user)?.[operation];
    return pattern !== undefined && name.search(pattern) >= 0;
  };
}

import { errorText } from '../../../world/error-text.ts';
import { matchesInTime } from '../../../world/expressions/match-in-time.ts';
import { limits } from '../../limits.ts';
import { NO_NAME, type PermissionPatterns } from '../permission-patterns.ts';
import type { AmqpOperation } from '../state.ts';

/** Permissions as an administrator writes them: a regular expression for each operation. */
export type PermissionTexts = Readonly<Record<AmqpOperation, string>>;

export const OPERATIONS = ['configure', 'write', 'read'] as const satisfies readonly AmqpOperation[];

export type CompiledPermissions =
  | { readonly ok: true; readonly patterns: PermissionPatterns }
  | { readonly ok: false; readonly operation: AmqpOperation; readonly reason: string };

/** The expressions of the three texts, or which of them is invalid and why. Total. */
export function compilePermissions(texts: PermissionTexts): CompiledPermissions {
  const patterns: Partial<Record<AmqpOperation, RegExp>> = {};
  for (const operation of OPERATIONS) {
    const compiled = compilePattern(texts[operation]);
    if (typeof compiled === 'string') return { ok: false, operation, reason: compiled };
    patterns[operation] = compiled;
  }
  const { configure = NO_NAME, write = NO_NAME, read = NO_NAME } = patterns;
  return { ok: true, patterns: { configure, write, read } };
}

/** The expression, or its mistake. */
function compilePattern(text: string): RegExp | string {
  if (text.length > limits.users.patternCharacters)
    return `is longer than ${limits.users.patternCharacters} characters`;
  // As in RabbitMQ, where the empty text means `^$`.
  if (text === '') return NO_NAME;
  try {
    // With the flag, what only PCRE knows (`\A`, `[[:alpha:]]`) is an error instead of something else.
    return new RegExp(text, 'u');
  } catch (error) {
    const reason = errorText(error);
    // The message repeats the expression, which may be long.
    return `is not a regular expression: ${reason.slice(reason.lastIndexOf(': ') + 2)}`;
  }
}

/**
 * The decisions of one user's permissions. Each is cached, since a broker asks at every publication and time-limited
 * matching takes a while. `tooSlow` is called where a pattern took too long, which is a refusal.
 */
export function decisionsOf(
  patterns: PermissionPatterns,
  tooSlow: (operation: AmqpOperation) => void,
): (operation: AmqpOperation, name: string) => boolean {
  const known = new Map<string, boolean>();
  return (operation, name) => {
    const key = `${operation} ${name}`;
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    const matches = matchesInTime(patterns[operation], name);
    if (matches === undefined) tooSlow(operation);
    const decision = matches === true;
    const [oldest] = known.keys();
    if (known.size >= limits.users.rememberedMatches && oldest !== undefined) known.delete(oldest);
    known.set(key, decision);
    return decision;
  };
}

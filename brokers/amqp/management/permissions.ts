import { createContext, Script } from 'node:vm';
import { NO_NAME, type PermissionPatterns } from '../permission-patterns.ts';
import type { AmqpOperation } from '../state.ts';
import { limits } from './limits.ts';

/** Permissions as an administrator writes them: a regular expression for each operation. */
export type PermissionTexts = Readonly<Record<AmqpOperation, string>>;

export const OPERATIONS = ['configure', 'write', 'read'] as const satisfies readonly AmqpOperation[];

export type CompiledPermissions =
  | { readonly ok: true; readonly patterns: PermissionPatterns }
  | { readonly ok: false; readonly operation: AmqpOperation; readonly reason: string };

/** The expressions of the three texts, or which of them is none and why. Total. */
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

/** The expression, or what is wrong with it. */
function compilePattern(text: string): RegExp | string {
  if (text.length > limits.patternCharacters) return `is longer than ${limits.patternCharacters} characters`;
  // As in RabbitMQ, where the empty text stands for `^$`.
  if (text === '') return NO_NAME;
  try {
    // With the flag, what only PCRE knows (`\A`, `[[:alpha:]]`) is an error instead of something else.
    return new RegExp(text, 'u');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // The message repeats the expression, which may be long.
    return `is not a regular expression: ${reason.slice(reason.lastIndexOf(': ') + 2)}`;
  }
}

/** Only code that runs in a context of its own can be interrupted. */
const context: { pattern: RegExp; name: string } = { pattern: NO_NAME, name: '' };
const TIMED_OUT = 'ERR_SCRIPT_EXECUTION_TIMEOUT';
const search = new Script('name.search(pattern) >= 0');

/**
 * Whether a pattern matches anywhere in a name; undefined if that was not decided within `limits.matchMs`,
 * because the expression backtracks without end. The event loop waits for it.
 */
export function matchesInTime(pattern: RegExp, name: string): boolean | undefined {
  createContextOnce();
  Object.assign(context, { pattern, name });
  for (const timeout of limits.matchMs) {
    try {
      return search.runInContext(context, { timeout }) === true;
    } catch (error) {
      // It is an Error of the other context.
      const { code } = error as { readonly code?: unknown };
      if (code !== TIMED_OUT) throw error;
    }
  }
  return undefined;
}

let hasContext = false;
function createContextOnce(): void {
  if (!hasContext) createContext(context);
  hasContext = true;
}

/**
 * The decisions of one user's permissions. Each is remembered, since a broker asks at every publication and
 * matching within a time takes a while. `tooSlow` is called where a pattern took too long, which is a refusal.
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
    if (known.size >= limits.rememberedMatches && oldest !== undefined) known.delete(oldest);
    known.set(key, decision);
    return decision;
  };
}

import { createContext, Script } from 'node:vm';

/**
 * How long an expression may be matched against one text, at the first and at the second attempt: an expression can
 * take exponential time. A match takes less than 1 ms; the second attempt is for a machine that was busy.
 */
const MATCH_MS = [100, 500] as const;

/** Without these an expression does not backtrack, and its time is bounded by its length and that of the text. */
const PLAIN = /^[^*+?{|]*$/;

/** Only code that runs in a context of its own can be interrupted. */
const context: { pattern: RegExp; text: string } = { pattern: /$^/, text: '' };
const TIMED_OUT = 'ERR_SCRIPT_EXECUTION_TIMEOUT';
const search = new Script('text.search(pattern) >= 0');

/**
 * Whether an expression matches anywhere in a text; undefined if that was not decided within `MATCH_MS`, because the
 * expression backtracks without end. The event loop waits for it.
 */
export function matchesInTime(pattern: RegExp, text: string): boolean | undefined {
  if (PLAIN.test(pattern.source)) return text.search(pattern) >= 0;
  createContextOnce();
  Object.assign(context, { pattern, text });
  for (const timeout of MATCH_MS) {
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

import { Failure } from './failure.ts';
import { limits } from './limits.ts';

/** A port to listen on, and whether the user named it. */
export interface PortWish {
  readonly port: number;
  readonly isGiven: boolean;
  /** The option that names it, for the error text. */
  readonly option: string;
}

/**
 * Listens on the wished port. A default that is taken gives the next free one; one that the user gave is a `Failure`.
 * `listen` resolves with what listens, or rejects with an error whose `code` is EADDRINUSE (or EACCES).
 */
export async function listenOn<T>(
  wish: PortWish,
  listen: (port: number) => Promise<T>,
): Promise<{ server: T; port: number }> {
  let last = '';
  const attempts = wish.isGiven ? 1 : limits.portAttempts;
  for (let attempt = 0; attempt < attempts && wish.port + attempt < 65_536; attempt += 1) {
    const port = wish.port + attempt;
    try {
      return { server: await listen(port), port };
    } catch (error) {
      last = codeOf(error);
      if (last !== 'EADDRINUSE' && last !== 'EACCES') throw error;
    }
  }
  const why = last === 'EACCES' ? 'may not be used by this user' : 'is taken';
  throw new Failure(
    wish.isGiven
      ? `Port ${wish.port} (${wish.option}) ${why}. Free it, or give another one.`
      : `No port from ${wish.port} to ${wish.port + attempts - 1} is free. Give one with ${wish.option}.`,
  );
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return code;
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? '' : codeOf(cause);
}

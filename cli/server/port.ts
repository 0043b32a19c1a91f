import { once } from 'node:events';
import { createServer } from 'node:net';
import { limits } from '../limits.ts';
import { CommandError } from '../shared/command-error.ts';

/** A port to listen on, and whether the user named it. */
export interface PortOption {
  readonly port: number;
  readonly isGiven: boolean;
  /** The option that names it, for the error text. */
  readonly option: string;
}

/**
 * Listens on the wished port. A default that is taken gives the next free one; one that the user gave is a
 * `CommandError`. `listen` resolves with what listens, or rejects with an error whose `code` is EADDRINUSE (or
 * EACCES).
 */
export async function listenOn<T>(
  portOption: PortOption,
  listen: (port: number) => Promise<T>,
): Promise<{ server: T; port: number }> {
  let last = '';
  const attempts = portOption.isGiven ? 1 : limits.portAttempts;
  for (let attempt = 0; attempt < attempts && portOption.port + attempt < 65_536; attempt += 1) {
    const port = portOption.port + attempt;
    try {
      return { server: await listen(port), port };
    } catch (error) {
      last = codeOf(error);
      if (last !== 'EADDRINUSE' && last !== 'EACCES') throw error;
    }
  }
  const why = last === 'EACCES' ? 'may not be used by this user' : 'is taken';
  throw new CommandError(
    portOption.isGiven
      ? `Port ${portOption.port} (${portOption.option}) ${why}. Free it, or give another one.`
      : `No port from ${portOption.port} to ${portOption.port + attempts - 1} is free. Give one with ${portOption.option}.`,
  );
}

/** A port from this one on that nobody listens on now, and perhaps still nobody in a moment. */
export async function freePortFrom(port: number): Promise<number> {
  const found = await listenOn({ port, isGiven: false, option: '' }, async (at) => {
    const server = createServer();
    await once(server.listen(at, '127.0.0.1'), 'listening');
    return server;
  });
  await once(found.server.close(), 'close');
  return found.port;
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return code;
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? '' : codeOf(cause);
}

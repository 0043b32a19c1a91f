import { once } from 'node:events';
import { createServer } from 'node:net';
import { CommandError } from '../shared/command-error.ts';
import { limits } from '../shared/limits.ts';

/** The ports of a deployment: the default, the option that names another, and what listens there. */
export const PORTS = {
  api: { usual: 8080, option: '--port', what: 'the API' },
  simulator: { usual: 8090, option: '--simulator-port', what: 'the simulator' },
  console: { usual: 8100, option: '--console-port', what: 'the console' },
  mqtt: { usual: 1883, option: '--mqtt-port', what: 'MQTT' },
  amqp: { usual: 5672, option: '--amqp-port', what: 'AMQP' },
  amqps: { usual: 5671, option: '--amqps-port', what: 'AMQP with TLS' },
  amqpAdmin: { usual: 15672, option: '--amqp-admin-port', what: 'the management of AMQP' },
} as const;

/**
 * Listens on the port that the user gave, on the default one, or on the next free one, and adds a notice where that is
 * another. Rejects as `listenOn` does.
 */
export async function listenAt<T>(
  name: keyof typeof PORTS,
  given: number | undefined,
  notices: string[],
  listen: (port: number) => Promise<T>,
): Promise<T> {
  const { usual, option, what } = PORTS[name];
  const isGiven = given !== undefined;
  const { server, port } = await listenOn({ port: given ?? usual, isGiven, option }, listen);
  if (!isGiven && port !== usual) notices.push(`port ${usual} is taken, so ${what} listens on ${port}`);
  return server;
}

/** A port to listen on, and whether the user gave it. */
export interface PortOption {
  readonly port: number;
  readonly isGiven: boolean;
  /** The option that names it, for the error text. */
  readonly option: string;
}

/**
 * Listens on the given port. A default that is taken gives the next free one; one that the user gave is a
 * `CommandError`. `listen` resolves with the listener, or rejects with an error whose `code` is EADDRINUSE (or EACCES).
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

/** A free port of this host, from this one on (racy: another process may take it before the caller does). */
export async function freePortFrom(port: number, host: string): Promise<number> {
  const found = await listenOn({ port, isGiven: false, option: '' }, async (at) => {
    const server = createServer();
    await once(server.listen(at, host), 'listening');
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

import { signingKeyId } from '../../backend/installation.ts';
import { realCrypto } from '../../world/crypto/real-crypto.ts';
import { realIds } from '../../world/ids/real-ids.ts';
import { realTime } from '../../world/time/real-time.ts';
import type { DataDirectory } from '../directory/data-directory.ts';
import { secretsOf } from '../directory/identity-secrets.ts';
import { fetchOf, installationHeaders } from '../http/installation.ts';
import { simulatorAccount } from '../http/simulator-guard.ts';
import type { ConsoleOptions } from '../shared/deployment-options.ts';
import type { Disposables } from '../shared/disposables.ts';
import type { MessageFacts } from '../shared/ready-facts.ts';
import { consoleClientOf } from './console-client.ts';
import { consoleMessageFeed } from './message-feed.ts';
import { startConsole } from './start-console.ts';

/** The parts of a deployment in several processes, by their addresses. */
export interface ConsoleOfParts extends ConsoleOptions {
  readonly directory: Pick<DataDirectory, 'identity' | 'path'>;
  readonly host: string | undefined;
  /** With the simulator's account, where it has one. */
  readonly simulatorUrl: string;
  readonly baseUrl: string;
  readonly messages: MessageFacts | null;
  readonly notices: string[];
  readonly disposables: Disposables;
}

/**
 * Starts the console of parts in other processes: it calls them over HTTP, as the client that `boxtwin backend`
 * registers for it.
 */
export async function startConsoleOfParts(parts: ConsoleOfParts): Promise<string> {
  const { directory, host, port, baseUrl, messages, notices, disposables } = parts;
  const { identity, path } = directory;
  const time = realTime();
  const crypto = await realCrypto(identity.signing_key);
  const secrets = secretsOf(crypto, identity);
  const installation = signingKeyId(crypto);
  const client = consoleClientOf(identity, secrets);
  return startConsole({
    world: { time, ids: realIds(time) },
    seed: identity.seed,
    data: path,
    port,
    map: parts.map,
    host,
    notices,
    disposables,
    account: simulatorAccount(host, secrets.simulatorPassword),
    sources: {
      control: overHttp(parts.simulatorUrl, installation),
      service: { baseUrl, fetch: fetchOf(installation), ...client },
    },
    messages:
      messages === null
        ? undefined
        : consoleMessageFeed({
            base_url: baseUrl,
            amqp_url: messages.url,
            data: path,
            installation,
            client_id: client.clientId,
            client_secret: client.clientSecret,
          }),
  });
}

/** Sends requests to that address, with its account, for that installation only. */
function overHttp(address: string, installation: string): (request: Request) => Promise<Response> {
  const { origin, username, password } = new URL(address);
  const account = username === '' ? undefined : btoa(`${username}:${decodeURIComponent(password)}`);
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers({
      ...Object.fromEntries(request.headers),
      ...installationHeaders(installation),
    });
    if (account !== undefined) headers.set('authorization', `Basic ${account}`);
    const { method } = request;
    const hasBody = method !== 'GET' && method !== 'HEAD';
    return fetch(`${origin}${pathname}${search}`, {
      method,
      headers,
      signal: request.signal,
      ...(hasBody ? { body: await request.text() } : {}),
    });
  };
}

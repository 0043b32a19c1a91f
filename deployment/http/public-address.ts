import { isLoopback } from '../../world/http/loopback.ts';
import type { LocalDeploymentOptions } from '../shared/deployment-options.ts';
import { reachableHost } from './http-server.ts';

/**
 * The address by which clients know the API, without a trailing slash: the given one, or where it listens. The issuer
 * of tokens and the beginning of all links (RFC 8414, 2: no query, no fragment).
 */
export function baseUrlOf(publicUrl: string | undefined, host: string | undefined, port: number): string {
  return publicUrl?.replace(/\/+$/, '') ?? `http://${reachableHost(host)}:${port}`;
}

/**
 * Warns that clients behind a proxy use another address of the service than the one in its links and tokens, where none
 * is given: no header of a proxy changes that address, since it is the issuer of tokens.
 */
export function noteProxiedAddress(
  notices: string[],
  { trustedProxies = [], publicUrl }: Pick<LocalDeploymentOptions, 'trustedProxies' | 'publicUrl'>,
  baseUrl: string,
): void {
  if (trustedProxies.length === 0 || publicUrl !== undefined) return;
  notices.push(
    `links and tokens name ${baseUrl}, also for clients behind the proxy of --trusted-proxy: give the address by which they know the API with --public-url`,
  );
}

/** What protects each listener where other machines reach it. */
const GUARDS = {
  api: 'the API by its clients',
  brokers: 'the brokers by their accounts',
  simulator:
    "the simulator, and the console where there is one, by the user and the password in the simulator's address",
} as const;

/**
 * Explains that these listen elsewhere than on loopback: who has access, and that the traffic can be read on the way.
 */
export function noteOpenHost(
  notices: string[],
  host: string | undefined,
  listening: readonly (keyof typeof GUARDS)[],
): void {
  if (host === undefined || isLoopback(host)) return;
  const guards = listening.map((name) => GUARDS[name]);
  const last = guards.pop() ?? '';
  const all = guards.length === 0 ? last : `${guards.join(', ')}, and ${last}`;
  notices.push(
    `other machines reach ${host}: ${all}; without TLS, but for AMQPS, others can read along (docs/parts.md)`,
  );
}

import type { ControlHosts } from '../../simulator/http/guard.ts';
import { problemResponse } from '../../simulator/http/refusal.ts';
import { areSecretsEqual } from '../../world/crypto/equal-secrets.ts';
import { makePasswordCheck } from '../../world/guessing/password-check.ts';
import { isLoopback } from '../../world/http/loopback.ts';
import type { Time } from '../../world/time/time.ts';
import { withAccount } from '../shared/user-errors.ts';
import { reachableHost } from './http-server.ts';

/** Below the address of the simulator. */
export const SIM_PROVIDERS_PATH = '/sim-providers';
export const MAKERS_PATH = '/makers';

/** The account with which other machines use the simulator. */
const SIMULATOR_USER = 'simulator';

/** What a simulator requires of its clients; undefined: only this machine reaches it. */
export interface SimulatorAccount {
  readonly username: string;
  readonly password: string;
}

/** The account of a simulator that listens there: elsewhere than on loopback anyone could change vehicles. */
export function simulatorAccount(host: string | undefined, password: string): SimulatorAccount | undefined {
  return host === undefined || isLoopback(host) ? undefined : { username: SIMULATOR_USER, password };
}

/** The host names that it accepts: what has a password is reached under names that it does not know. */
export function hostsOf(account: SimulatorAccount | undefined): ControlHosts {
  return account === undefined ? 'loopback' : 'any';
}

/** The address of a simulator, with its account where it has one. */
export function simulatorAddress(
  host: string | undefined,
  port: number,
  account: SimulatorAccount | undefined,
): string {
  const address = `http://${reachableHost(host)}:${port}`;
  return account === undefined ? address : withAccount(address, account).replace(/\/$/, '');
}

/** Why a request is refused; undefined: it is not. */
export type SimulatorGuard = (
  request: Request,
  peer: { readonly address?: string },
) => Promise<Response | undefined>;

/**
 * Admits to a server only requests with the account, and slows guessing down. The service's requests to SIM providers
 * and makers have their own keys.
 */
export function makeSimulatorGuard(
  account: SimulatorAccount | undefined,
  time: Pick<Time, 'nowMs'>,
): SimulatorGuard {
  const checkPassword = makePasswordCheck(time, { comparesFast: () => true });
  return async (request, { address = '' }) => {
    if (account === undefined || isOfTheService(request)) return undefined;
    const given = basicCredentials(request);
    if (given === undefined) return unauthorized();
    const verdict = await checkPassword({ ...given, address }, () =>
      areSecretsEqual(`${given.name}:${given.password}`, `${account.username}:${account.password}`),
    );
    if (verdict.kind === 'right') return undefined;
    return verdict.kind === 'wrong' ? unauthorized() : tooManyGuesses(verdict.retryAfterS);
  };
}

/** Of RFC 7617; undefined: there are none. */
function basicCredentials(
  request: Request,
): { readonly name: string; readonly password: string } | undefined {
  const [, encoded] =
    /^Basic ([A-Za-z0-9+/=]{1,1024})$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const [name = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { name, password: password.join(':') };
}

function unauthorized(): Response {
  const refusal = problemResponse({
    status: 401,
    detail:
      'This simulator is open to other machines, so it asks for user and password: its banner shows both.',
  });
  refusal.headers.set('www-authenticate', 'Basic realm="boxtwin simulator", charset="UTF-8"');
  return refusal;
}

function tooManyGuesses(retryAfterS: number): Response {
  const refusal = problemResponse({
    status: 429,
    detail: `Too many wrong passwords came from this address. Try again in ${retryAfterS} s.`,
  });
  refusal.headers.set('retry-after', String(retryAfterS));
  return refusal;
}

/** Whether the request is the service's: SIM providers and makers are below the simulator's address. */
export function isOfTheService({ url }: Pick<Request, 'url'>): boolean {
  const { pathname } = new URL(url);
  const isBelow = [SIM_PROVIDERS_PATH, MAKERS_PATH].some((path) => pathname.startsWith(`${path}/`));
  // Their behaviour is for the user to change, however its path is spelled.
  return isBelow && !/\/behaviour\/*$/.test(decodedPath(pathname) ?? '/behaviour');
}

/** Without percent-encoding (RFC 3986 section 2.1), as routes see it; undefined: it is malformed. */
function decodedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

import { areSecretsEqual } from '../../brokers/mqtt/sign-in.ts';
import { problemResponse } from '../../simulator/control/refusal.ts';
import { withAccount } from '../shared/user-errors.ts';
import { MAKERS_PATH, SIM_PROVIDERS_PATH } from './demo-service-settings.ts';
import { isLoopback, reachableHost } from './http-server.ts';

/** As whom the simulator is used from other machines. */
const SIMULATOR_USER = 'simulator';

/** What a simulator asks of those who use it; undefined: it is reached from this machine alone. */
export interface SimulatorAccount {
  readonly username: string;
  readonly password: string;
}

/** The account of a simulator that listens there: elsewhere than on loopback anybody could change vehicles. */
export function simulatorAccount(host: string | undefined, password: string): SimulatorAccount | undefined {
  return host === undefined || isLoopback(host) ? undefined : { username: SIMULATOR_USER, password };
}

/** The address to use a simulator by, with its account where it has one. */
export function simulatorAddress(
  host: string | undefined,
  port: number,
  account: SimulatorAccount | undefined,
): string {
  const address = `http://${reachableHost(host)}:${port}`;
  return account === undefined ? address : withAccount(address, account).replace(/\/$/, '');
}

/**
 * Why a request is not answered; undefined: it is. What the service asks of SIM providers and makers has keys of its
 * own.
 */
export function accountRefusal(
  request: Request,
  account: SimulatorAccount | undefined,
): Response | undefined {
  if (account === undefined || isOfTheService(request)) return undefined;
  const [, encoded = ''] =
    /^Basic ([A-Za-z0-9+/=]{1,1024})$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  const given = Buffer.from(encoded, 'base64').toString('utf8');
  if (areSecretsEqual(given, `${account.username}:${account.password}`)) return undefined;
  const refusal = problemResponse({
    status: 401,
    detail:
      'This simulator is open to other machines, so it asks for user and password: its banner shows both.',
  });
  refusal.headers.set('www-authenticate', 'Basic realm="boxtwin simulator", charset="UTF-8"');
  return refusal;
}

/** Whether it is the service that asks here: SIM providers and makers are below the simulator's address. */
export function isOfTheService({ url }: Pick<Request, 'url'>): boolean {
  const { pathname } = new URL(url);
  const isBelow = [SIM_PROVIDERS_PATH, MAKERS_PATH].some((path) => pathname.startsWith(`${path}/`));
  // How they behave is for the user to change.
  return isBelow && !/\/behaviour\/*$/.test(pathname);
}

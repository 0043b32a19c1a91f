import { BULK_PATH } from '../../contract/operation.ts';
import { isOfTheService } from '../http/simulator-guard.ts';
import type { VehicleTurns } from './drivers/vehicle-turns.ts';

/** What requests that change vehicles wait for. */
export interface RequestHolds {
  /** Resolves once every box accepts commands. */
  readonly settled: Promise<void>;
  /** Whether it has resolved. */
  isSettled(): boolean;
  /** A driver's command to the same vehicle completes first. */
  readonly turns: VehicleTurns;
}

/**
 * Forwards a request to the API: a read immediately, a change once the fleet has settled and its vehicle is free. If
 * the client disconnects meanwhile, the request is not forwarded: nobody would receive its result.
 */
export async function sendToApi(
  request: Request,
  { settled, isSettled, turns }: RequestHolds,
  send: () => Promise<Response>,
): Promise<Response> {
  const changed = changedBy(request);
  if (changed === undefined) return send();
  const { vehicleId } = changed;
  // To look at `signal` is dear: the adapter makes the platform's own Request for it.
  if (isSettled() && (vehicleId === undefined || !turns.hasDriver(vehicleId)))
    return vehicleId === undefined ? send() : turns.ofClient(vehicleId, send);
  await settled;
  const sendIfAwaited = async () => (request.signal.aborted ? abandoned() : send());
  return vehicleId === undefined ? sendIfAwaited() : turns.ofClient(vehicleId, sendIfAwaited);
}

/**
 * Forwards a request to the simulator: reads and requests of the service immediately, a change once the fleet has
 * settled, unless its client has disconnected. Commands read `GET /` to identify the simulator's installation, with a
 * short timeout.
 */
export async function sendToSimulator(
  request: Request,
  { settled }: Pick<RequestHolds, 'settled'>,
  send: () => Promise<Response>,
): Promise<Response> {
  if (isRead(request) || isOfTheService(request)) return send();
  await settled;
  return request.signal.aborted ? abandoned() : send();
}

/** What a request changes that needs a connected and idle box; undefined: nothing. `vehicleId` undefined: several. */
function changedBy(request: Request): { readonly vehicleId: string | undefined } | undefined {
  if (isRead(request)) return undefined;
  const { pathname } = new URL(request.url);
  const [, root, vehicleId] = /^\/(vehicles)(?:\/([^/]+))?(?:\/|$)/.exec(pathname) ?? [];
  return root === undefined && !pathname.startsWith(BULK_PATH) ? undefined : { vehicleId };
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** The client has closed its connection. */
function abandoned(): Response {
  return new Response(null, { status: 408 });
}

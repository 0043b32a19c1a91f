import type { AnsweredCall } from '../../testbed/port/evidence.ts';
import type { GuardedCall, GuardRule, KnownRun, Verdict } from './guard-rule.ts';

/** docs/api.md, Sharing: what is the partner's alone while a vehicle is shared. */
const PARTNERS_ALONE: ReadonlySet<string> = new Set([
  'ble-reset',
  'board-reset',
  'modem-reset',
  'data-connection-reset',
  'switch-mobile-network',
  'network-detach',
]);
/** The same page: what stays the owner's alone. Whoever else asks is told 409. */
const OWNERS_ALONE: ReadonlySet<string> = new Set(['request-sim-activation', 'request-sim-suspension']);

/** Who may ask for it, and of which vehicle: docs/api.md, What a token may do, and Sharing. */
export const ACCESS_RULES: readonly GuardRule[] = [
  {
    name: 'the permission of the client',
    problems: ['/problems/forbidden-resource', '/problems/missing-permissions'],
    verdict: ({ permissions: { surely, perhaps }, operation: { permission } }) => {
      if (holds(surely, permission)) return 'must not';
      return holds(perhaps, permission) ? 'unknown' : 'must';
    },
  },
  {
    name: 'whether there is such a vehicle for the client',
    problems: ['/problems/resource-not-found'],
    verdict: visibility,
  },
  { name: 'sharing', problems: ['/problems/vehicle/shared-with-partner'], verdict: sharing },
];

/** A full permission includes the read-only one. */
function holds(permissions: readonly string[], wanted: string): boolean {
  return (
    permissions.includes(wanted) || (wanted.endsWith('.ro') && permissions.includes(wanted.slice(0, -3)))
  );
}

function visibility({ call, operation, vehicle, callerFleetId }: GuardedCall, known: KnownRun): Verdict {
  const { vehicleId, kind } = operation;
  if (vehicleId === undefined || vehicle === undefined) return 'unknown';
  const isThere = wasThere(vehicle.group.isOnShelf, vehicleId, call, known.calls);
  // Without a box there is no configuration.
  if (kind === 'see-configuration' && vehicle.boxId === undefined) return 'unknown';
  if (vehicle.fleetId === callerFleetId) return isThere ? 'must not' : 'unknown';
  // The record, the sharing and the sight of a configuration stay with the owner.
  if (kind === 'change' || kind === 'share' || kind === 'see-configuration') return 'must';
  const { askedMs, answeredMs } = call;
  if (!known.sharing.mayHaveBeenShared(vehicleId, callerFleetId, askedMs, answeredMs)) return 'must';
  const isShared = known.sharing.mustHaveBeenShared(vehicleId, callerFleetId, askedMs, answeredMs);
  return isThere && isShared ? 'must not' : 'unknown';
}

/** Whether the service had the vehicle all the time of the call. */
function wasThere(
  isOfShelf: boolean,
  vehicleId: string,
  { askedMs, answeredMs }: AnsweredCall,
  calls: readonly AnsweredCall[],
): boolean {
  const isMade =
    !isOfShelf ||
    calls.some((one) => one.status === 201 && idIn(one.body) === vehicleId && one.answeredMs < askedMs);
  const mayBeGone = calls.some(
    (one) =>
      one.method === 'DELETE' &&
      one.path === `/vehicles/${vehicleId}` &&
      one.askedMs <= answeredMs &&
      (one.status < 400 || one.status >= 500),
  );
  return isMade && !mayBeGone;
}

function sharing({ call, operation, vehicle, callerFleetId }: GuardedCall, known: KnownRun): Verdict {
  const { vehicleId, kind, name = '' } = operation;
  if (vehicleId === undefined || vehicle === undefined) return 'unknown';
  const isOwner = vehicle.fleetId === callerFleetId;
  const isRefusedToOwner = PARTNERS_ALONE.has(name);
  const isRefusedToPartner = OWNERS_ALONE.has(name) || kind === 'configure';
  if (!(isOwner ? isRefusedToOwner : isRefusedToPartner)) return 'must not';
  const { askedMs, answeredMs } = call;
  if (!known.sharing.mayHaveBeenSharedAtAll(vehicleId, askedMs, answeredMs)) return 'must not';
  const isShared = (isOwner ? known.partnerFleetIds : [callerFleetId]).some((fleetId) =>
    known.sharing.mustHaveBeenShared(vehicleId, fleetId, askedMs, answeredMs),
  );
  return isShared ? 'must' : 'unknown';
}

/** The id in the body of an answer. */
export function idIn(body: unknown): string | undefined {
  const { id } = (typeof body === 'object' && body !== null ? body : {}) as { readonly id?: unknown };
  return typeof id === 'string' ? id : undefined;
}

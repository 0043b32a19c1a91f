import type { OperationKind } from '../../../contract/operation.ts';
import { holdsPermission } from '../../../contract/permissions.ts';
import type { AnsweredCall } from '../../evidence/evidence.ts';
import type { GuardedCall, GuardRule, KnownRun, Verdict } from './guard-rule.ts';

/** Which clients may request it, and for which vehicle: docs/api.md, What a token may do, and Sharing. */
export const ACCESS_RULES: readonly GuardRule[] = [
  {
    name: 'the permission of the client',
    problems: ['/problems/forbidden-resource', '/problems/missing-permissions'],
    verdict: ({ permissions: { surely, perhaps }, operation: { permission } }) => {
      if (holdsPermission(surely, permission)) return 'must not';
      return holdsPermission(perhaps, permission) ? 'unknown' : 'must';
    },
  },
  {
    name: 'whether there is such a vehicle for the client',
    problems: ['/problems/resource-not-found'],
    verdict: visibility,
  },
  { name: 'sharing', problems: ['/problems/vehicle/shared-with-partner'], verdict: sharing },
];

/** What only the owner may do with a record, and see of it, even if the vehicle is shared. */
const OWNERS: ReadonlySet<OperationKind> = new Set([
  'change',
  'offboard',
  'share',
  'unshare',
  'read-configuration',
]);

function visibility(
  { call, operation: { kind }, vehicleId, vehicle, callerFleetId }: GuardedCall,
  known: KnownRun,
): Verdict {
  if (vehicleId === undefined || vehicle === undefined) return 'unknown';
  const isThere = wasThere(vehicle.group.isOnShelf, vehicleId, call, known.calls);
  // Without a box there is no configuration.
  if (kind === 'read-configuration' && vehicle.boxId === undefined) return 'unknown';
  if (vehicle.fleetId === callerFleetId) return isThere ? 'must not' : 'unknown';
  // Only the owner can access the record, the sharing, and reads of the configuration.
  if (OWNERS.has(kind)) return 'must';
  const { askedMs, answeredMs } = call;
  if (!known.sharing.mayHaveBeenShared(vehicleId, callerFleetId, askedMs, answeredMs)) return 'must';
  const isShared = known.sharing.mustHaveBeenShared(vehicleId, callerFleetId, askedMs, answeredMs);
  return isThere && isShared ? 'must not' : 'unknown';
}

/** Whether the service had the vehicle throughout the call. */
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

function sharing(
  { call, operation: { guards }, vehicleId, vehicle, callerFleetId }: GuardedCall,
  known: KnownRun,
): Verdict {
  if (vehicleId === undefined || vehicle === undefined) return 'unknown';
  const isOwner = vehicle.fleetId === callerFleetId;
  if (!guards.includes(isOwner ? 'shared-partner-only' : 'shared-owner-only')) return 'must not';
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

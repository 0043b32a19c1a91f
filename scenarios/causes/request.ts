import type { Operation, OperationKind } from '../../contract/operation.ts';
import type { Caller, Cause, RequestChange } from './cause.ts';
import type { CauseRequest } from './cause-ports.ts';
import { fill, fillAll, type PlaceholderValues } from './placeholder-values.ts';

/** A valid body for each kind of operation; a kind that is not listed has no body. */
const BODIES: Readonly<Partial<Record<OperationKind, Readonly<Record<string, unknown>>>>> = {
  onboard: { telematics_unit: { id: '{spare_box}' }, vehicle_model: '{spare_model}' },
  change: { operation_status: { value: 'OPERATING' } },
  share: { partner_fleet_id: '{partner}' },
  configure: {},
  subscribe: { queue_discriminator: 'provoked', topics: ['VehicleState_v1'] },
  bulk: { items: [{ id: '{vehicle}' }], feature_configuration: { tracking: {} } },
};

/** A request that fails because of the cause, without its Authorization header, and its caller. */
export interface PreparedRequest {
  readonly request: CauseRequest;
  readonly caller: Caller;
}

/** The request of an operation under a cause. Throws when a placeholder has no value. */
export function prepare(operation: Operation, cause: Cause, values: PlaceholderValues): PreparedRequest {
  const twist: RequestChange = cause.requestChange?.(operation) ?? {};
  const path = operation.path
    .replace('{id}', twist.id ?? '{vehicle}')
    .replace('{job_id}', twist.id ?? '{job}')
    .replace('{subscription_id}', twist.id ?? '{subscription}');
  const body = twist.body ?? BODIES[operation.kind];
  const sent =
    twist.raw !== undefined
      ? { type: twist.raw.type, body: twist.raw.text }
      : body === undefined
        ? undefined
        : { type: 'application/json', body: JSON.stringify(fillAll(body, values)) };
  return {
    caller: twist.caller ?? 'owner',
    request: {
      target: 'api',
      method: twist.isWrongMethod === true ? otherMethod(operation.path) : operation.method,
      path: fill(path, values) + (twist.query === undefined ? '' : `?${twist.query}`),
      headers: { ...twist.headers, ...(sent === undefined ? {} : { 'content-type': sent.type }) },
      ...(sent === undefined ? {} : { body: sent.body }),
    },
  };
}

/** A method that the resource lacks: only a vehicle itself has PATCH, and it has no PUT. */
function otherMethod(path: string): string {
  return path === '/vehicles/{id}' ? 'PUT' : 'PATCH';
}

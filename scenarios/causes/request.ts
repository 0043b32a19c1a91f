import type { Request } from './call.ts';
import type { Caller, Cause, Twist } from './cause.ts';
import type { Operation, OperationKind } from './operations.ts';
import { fill, fillAll, type Values } from './values.ts';

/** Bodies that work; a kind that is not here takes none. */
const BODIES: Readonly<Partial<Record<OperationKind, Readonly<Record<string, unknown>>>>> = {
  onboard: { telematics_unit: { id: '{spare_box}' }, vehicle_model: '{spare_model}' },
  change: { operation_status: { value: 'OPERATING' } },
  share: { partner_fleet_id: '{partner}' },
  configure: {},
  subscribe: { queue_discriminator: 'provoked', topics: ['VehicleState_v1'] },
  bulk: { items: [{ id: '{vehicle}' }], feature_configuration: { tracking: {} } },
};

/** A request that is refused for the cause, without its Authorization header, and who makes it. */
export interface Prepared {
  readonly request: Request;
  readonly caller: Caller;
}

/** The request of an operation under a cause. Throws where a value is missing. */
export function prepare(operation: Operation, cause: Cause, values: Values): Prepared {
  const twist: Twist = cause.twist?.(operation) ?? {};
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
      face: 'api',
      method: twist.isWrongMethod === true ? otherMethod(operation.path) : operation.method,
      path: fill(path, values) + (twist.query === undefined ? '' : `?${twist.query}`),
      headers: { ...twist.headers, ...(sent === undefined ? {} : { 'content-type': sent.type }) },
      ...(sent === undefined ? {} : { body: sent.body }),
    },
  };
}

/** A vehicle itself has PATCH, and nothing else does; PUT is what it has not. */
function otherMethod(path: string): string {
  return path === '/vehicles/{id}' ? 'PUT' : 'PATCH';
}

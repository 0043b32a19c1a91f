import { createRoute, z } from '@hono/zod-openapi';
import { RECORD_OPERATIONS } from '../../../contract/operations.ts';
import { problem, type Refusal } from '../../../contract/problems.ts';
import { partitionOf } from '../../../protocol/partitions.ts';
import { refuseBody } from '../../base/body.ts';
import { IF_MATCH_RULE, matches, readIfMatch } from '../../base/etag.ts';
import { vehicleLimits } from '../../base/limits.ts';
import { writeDataChanged } from '../../events/message-data-changed.ts';
import type { Vehicle } from '../../store/port/stored-vehicle.ts';
import type { VehicleChange } from '../../store/port/vehicle-store.ts';
import { changeVehicle, type MessageOfChange, modified } from '../../vehicles/change-vehicle.ts';
import { findOwn, notOwnRefusal, unknownVehicle } from '../../vehicles/find-vehicle.ts';
import { merged, tooManyCustomFields } from '../../vehicles/merge.ts';
import {
  customFieldsFields,
  maintenanceField,
  masterDataFields,
  OPERATION_STATUSES,
  RENTAL_STATUSES,
  STATUS_MEANINGS,
  tagsField,
} from '../../vehicles/vehicle-fields.ts';
import { vehicleData } from '../../vehicles/view.ts';
import type { App } from '../app.ts';
import { refuse } from '../environment.ts';
import { documentedProblems, noParameters, routeOf, vehicleIdParameters } from '../openapi/documented.ts';
import { answerOwner, ifMatchHeader, vehicleAnswer, vehicleDetailSchema } from './vehicle-answers.ts';
import type { VehicleRoutesParts } from './vehicle-routes-parts.ts';

/**
 * PATCH and DELETE /vehicles/{id}: for the owner only. A partner gets the 404 of any other fleet, with a detail that
 * says so.
 */
export function changeRoutes(app: App, parts: VehicleRoutesParts): void {
  const { world, models } = parts;
  const { vehicles } = parts.store;

  app.openapi(
    { ...patchRoute, middleware: [parts.authorize(RECORD_OPERATIONS.change)] as const },
    async (c) => {
      const condition = readIfMatch(c.req.header('if-match'));
      if (condition.kind === 'unreadable') return refuse(c, problem('validation-error', IF_MATCH_RULE));
      const patch = c.req.valid('json');
      const nowMs = () => world.time.nowMs();
      const target = { fleetId: c.get('caller').fleetId, vehicleId: c.req.valid('param').id, condition };
      let isTold = false;
      const messageOf: MessageOfChange = (before, after, atMs) => {
        if (parts.messages === undefined) return undefined;
        const messageId = world.ids.ulid();
        const partition = partitionOf(after.boxId ?? after.id);
        const message = writeDataChanged(
          { messageId, flowId: c.get('flowId'), partition, atMs },
          vehicleData(before, models, atMs),
          vehicleData(after, models, atMs),
        );
        isTold = message !== undefined;
        return message;
      };
      const decide = (vehicle: Vehicle) => changeOf(vehicle, patch);
      const after = await changeVehicle(vehicles, target, decide, nowMs, messageOf);
      if ('problem' in after) return refuse(c, after);
      if (isTold) parts.messages?.written();
      return answerOwner(c, parts, after);
    },
  );

  app.openapi(
    { ...deleteRoute, middleware: [parts.authorize(RECORD_OPERATIONS.offboard)] as const },
    async (c) => {
      const condition = readIfMatch(c.req.header('if-match'));
      if (condition.kind === 'unreadable') return refuse(c, problem('validation-error', IF_MATCH_RULE));
      const refusedBody = refuseBody(c.get('body'));
      if (refusedBody !== undefined) return refuse(c, refusedBody);
      const refusal = await remove(parts, c.get('caller').fleetId, c.req.valid('param').id, condition);
      return refusal === undefined ? c.body(null, 204) : refuse(c, refusal);
    },
  );
}

/** Offboards an own vehicle; undefined: done. A vehicle that changes meanwhile is read again. */
async function remove(
  { store }: VehicleRoutesParts,
  fleetId: string,
  vehicleId: string,
  condition: ReturnType<typeof readIfMatch>,
): Promise<Refusal | undefined> {
  for (let attempt = 0; attempt < vehicleLimits.changeAttempts; attempt += 1) {
    const vehicle = await findOwn(store.vehicles, fleetId, vehicleId);
    if (vehicle === undefined) return notOwnRefusal(store.vehicles, fleetId, vehicleId);
    if (!matches(condition, vehicle.revision)) return modified(vehicle);
    const removed = await store.vehicles.remove(vehicleId, vehicle.revision);
    if (removed === 'removed') return undefined;
    if (removed === 'missing') return unknownVehicle(vehicleId);
    if (removed === 'shared')
      return problem('conflicting-resource', 'The vehicle is shared with a partner. End the sharing first.');
  }
  return problem('conflicting-resource', 'Other requests keep changing the vehicle. Try again.');
}

const BY_SERVICE = 'cannot be changed; the service sets it';
/** Why a patch may not contain this property, in words. */
const READ_ONLY: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(vehicleDetailSchema.shape).map((name) => [name, 'cannot be changed'])),
  modified_at: BY_SERVICE,
  shared_with: 'is changed by PUT and DELETE of /vehicles/{id}/sharing',
  telematics_unit: 'cannot be changed; offboard the vehicle and onboard it again',
  third_party: 'cannot be changed; offboard the vehicle and onboard it again',
  vehicle_model: 'cannot be changed; offboard the vehicle and onboard it again',
};

/** Distinguishes properties that cannot be set here from those that do not exist. */
const telling = (why: Readonly<Record<string, string>>) => ({
  error: (issue: { readonly code?: string | undefined; readonly keys?: unknown }) => {
    const [name] = issue.code === 'unrecognized_keys' && Array.isArray(issue.keys) ? issue.keys : [];
    return typeof name === 'string' && Object.hasOwn(why, name) ? `'${name}' ${why[name]}` : undefined;
  },
});
const SET_BY_SERVICE = telling({ modified_at: BY_SERVICE });

const patchBody = z
  .strictObject(
    {
      master_data: masterDataFields.optional(),
      custom_fields: customFieldsFields.optional(),
      tags: tagsField.optional(),
      operation_status: z
        .strictObject(
          { value: z.enum(OPERATION_STATUSES).describe(STATUS_MEANINGS.operationValue) },
          SET_BY_SERVICE,
        )
        .optional()
        .describe(STATUS_MEANINGS.operation),
      rental_status: z
        .strictObject(
          { value: z.enum(RENTAL_STATUSES).describe(STATUS_MEANINGS.rentalValue) },
          SET_BY_SERVICE,
        )
        .optional()
        .describe(STATUS_MEANINGS.rental),
      maintenance_booked: maintenanceField.optional(),
    },
    telling(READ_ONLY),
  )
  .describe('The fields to change; what is left out stays unchanged.')
  .openapi('VehicleChange');

/** What a patch changes of the vehicle as it is now; undefined: nothing. */
function changeOf(vehicle: Vehicle, patch: z.infer<typeof patchBody>): VehicleChange | Refusal | undefined {
  const { master_data, custom_fields, tags, operation_status, rental_status, maintenance_booked } = patch;
  const customFields = custom_fields === undefined ? undefined : merged(vehicle.customFields, custom_fields);
  const tooMany = customFields === undefined ? undefined : tooManyCustomFields(customFields);
  if (tooMany !== undefined) return tooMany;
  const change: VehicleChange = {
    ...(master_data === undefined ? {} : { masterData: merged(vehicle.masterData, master_data) }),
    ...(customFields === undefined ? {} : { customFields }),
    ...(tags === undefined ? {} : { tags }),
    ...(operation_status === undefined ? {} : { operationStatus: operation_status.value }),
    ...(rental_status === undefined ? {} : { rentalStatus: rental_status.value }),
    ...(maintenance_booked === undefined ? {} : { maintenance: maintenance_booked }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

const patchRoute = createRoute({
  ...routeOf(RECORD_OPERATIONS.change),
  description:
    'A merge patch: what the body leaves out stays, and null removes a field of master_data or custom_fields. tags are replaced as a whole.',
  request: {
    params: vehicleIdParameters,
    query: noParameters,
    headers: ifMatchHeader,
    body: { required: true, content: { 'application/json': { schema: patchBody } } },
  },
  responses: {
    200: vehicleAnswer('The vehicle as it is now, with its new ETag.'),
    ...documentedProblems(RECORD_OPERATIONS.change.problems),
  },
});

const deleteRoute = createRoute({
  ...routeOf(RECORD_OPERATIONS.offboard),
  request: { params: vehicleIdParameters, query: noParameters, headers: ifMatchHeader },
  responses: {
    204: { description: 'The vehicle is offboarded.' },
    ...documentedProblems(RECORD_OPERATIONS.offboard.problems),
  },
});

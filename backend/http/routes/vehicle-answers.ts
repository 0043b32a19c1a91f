import { z } from '@hono/zod-openapi';
import { JSON_TYPE } from '../../base/body.ts';
import { representationTag } from '../../base/etag.ts';
import { vehicleState } from '../../events/vehicle-state.ts';
import type { FoundVehicle } from '../../store/port/stored-vehicle.ts';
import {
  MASTER_DATA,
  STATUS_MEANINGS as MEANS,
  maintenanceField,
  OPERATION_STATUSES,
  RENTAL_STATUSES,
} from '../../vehicles/vehicle-fields.ts';
import { vehicleDetailText } from '../../vehicles/view.ts';
import { type AppContext, headedAnswer } from '../environment.ts';
import type { VehicleRoutesParts } from './vehicle-routes-parts.ts';

const status = <T extends readonly [string, ...string[]]>(
  values: T,
  description: string,
  valueDescription: string,
) =>
  z
    .strictObject({
      value: z.enum(values).describe(valueDescription),
      modified_at: z.iso.datetime().nullable().describe(`${MEANS.since} null: it is not known.`),
    })
    .describe(description);

/** The meaning of the three values. */
const LIFE_STATUS_MEANING =
  'ONLINE: the telematics unit has a session with its broker and answers. STANDBY: it has signed off, is restarting, or its session has ended, and its next report at rest is not overdue. OFFLINE: that report is overdue by 10 minutes, the SIM is suspended, or it was never heard from. For a vehicle with third-party telematics, the states from its maker count as reports.';

/** The meaning of its time. */
const LIFE_STATUS_SINCE = 'When that value began, by the clock of the service; never before `created_at`.';

/**
 * The state of a vehicle, for the document. A copy: a schema that was created before the library was loaded has no name
 * in the document.
 */
export const vehicleStateSchema = vehicleState.clone().openapi('VehicleState');

const lifeStatus = z
  .strictObject({
    value: z.enum(['ONLINE', 'STANDBY', 'OFFLINE']).describe(LIFE_STATUS_MEANING),
    modified_at: z.iso.datetime().describe(LIFE_STATUS_SINCE),
  })
  .describe(MEANS.life);

/** A vehicle as the list has it, for the document. */
export const vehicleSchema = z
  .strictObject({
    id: z.string().describe('The id of the vehicle.'),
    fleet_id: z.string().describe('The id of the fleet that owns the vehicle.'),
    setup_status: z
      .enum(['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED'])
      .describe(
        'The progress of the setup of the telematics unit in the vehicle. Commands are accepted once it is SUCCEEDED.',
      ),
    life_status: lifeStatus,
    operation_status: status(OPERATION_STATUSES, MEANS.operation, MEANS.operationValue),
    rental_status: status(RENTAL_STATUSES, MEANS.rental, MEANS.rentalValue),
    master_data: z
      .strictObject(MASTER_DATA)
      .describe('The master data of the vehicle; null if neither its owner nor its model gives a value.'),
    custom_fields: z
      .record(z.string(), z.string())
      .describe("Custom texts of the owner, by name. A sharing partner doesn't see them."),
    tags: z
      .array(z.string())
      .describe("Words that the owner chose for finding the vehicle. A sharing partner doesn't see them."),
    maintenance_booked: maintenanceField,
    capabilities: z
      .strictObject({
        commands: z.array(z.string()).describe('The commands that it accepts: UNLOCK_CENTRAL_LOCK.'),
        vehicle_state: z
          .array(z.string())
          .describe('The properties that its state may have: CENTRAL_LOCK is central_lock.'),
      })
      .describe('What the vehicle can do and report, in UPPER_SNAKE_CASE.'),
    telematics_unit: z
      .strictObject({
        id: z.string().describe('The id of the unit, 16 hexadecimal digits.'),
        brand: z.string().describe('Who made the unit.'),
        model: z.string().describe('The model of the unit.'),
        hardware_revision: z
          .int()
          .nullable()
          .describe('The revision of its hardware; null: not reported yet.'),
        firmware_version: z
          .string()
          .nullable()
          .describe('The version of its firmware; null: not reported yet.'),
        installation_variant: z
          .enum(['OBD', 'HARDWIRED'])
          .nullable()
          .describe('OBD: on the diagnostic port. HARDWIRED: wired in. null: it is not known.'),
      })
      .nullable()
      .openapi({ description: 'Its telematics unit. null: the vehicle has third-party telematics.' }),
    shared_with: z
      .string()
      .optional()
      .describe('The id of the fleet with which the vehicle is shared; absent: it is not shared.'),
    last_contact_at: z.iso
      .datetime()
      .nullable()
      .describe('When the vehicle was last heard from (UTC); null: never.'),
    created_at: z.iso.datetime().describe('When the vehicle was onboarded (UTC).'),
    modified_at: z.iso.datetime().describe('When the data of the vehicle was last changed (UTC).'),
  })
  .describe('A vehicle as it is listed, without its state.')
  .openapi('Vehicle');

/**
 * A vehicle with its latest state, for the document. Built separately: an extension of a closed schema would contradict
 * it.
 */
export const vehicleDetailSchema = z
  .strictObject({
    ...vehicleSchema.shape,
    latest_vehicle_state: vehicleStateSchema,
  })
  .describe('A vehicle with its latest state, which merges all its reports.')
  .openapi('VehicleDetail');

/** The header that names the version of an answer. */
export const etagHeader = z.string().openapi({
  description:
    'The version of the answer, for If-None-Match and If-Match. It changes with everything in the answer. If-Match compares only the part before the point, which changes with the data that owners change: reports of the vehicle do not get in its way.',
  example: '"1.5f2c9a0b1d3e4f67"',
});

/** The condition of a request that reads a vehicle. */
export const ifNoneMatchHeader = z.object({
  'if-none-match': z.string().optional().openapi({
    description:
      'An ETag of the vehicle, a list of them, or *: where one is the current one, the answer is 304.',
  }),
});

/** The answer of a route that gives one vehicle with its version. */
export const vehicleAnswer = (description: string) => ({
  description,
  headers: z.object({ ETag: etagHeader }),
  content: { 'application/json': { schema: vehicleDetailSchema } },
});

/** Answers with JSON that is there as text, or as its bytes. */
export function jsonAnswer(
  c: AppContext,
  json: string | Uint8Array<ArrayBuffer>,
  status: 200 | 201 = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return headedAnswer(c, json, status, { ...headers, 'Content-Type': JSON_TYPE });
}

/** Answers its owner with a vehicle that was just written, and its version. */
export function answerOwner(
  c: AppContext,
  { world, models }: Pick<VehicleRoutesParts, 'world' | 'models'>,
  vehicle: FoundVehicle,
  status?: 200 | 201,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const viewing = { viewer: vehicle.fleetId, models, nowMs: world.time.nowMs() };
  const body = vehicleDetailText(vehicle, viewing);
  return jsonAnswer(c, body, status, {
    ...headers,
    ETag: representationTag(vehicle.revision, body, world.crypto),
  });
}

/** The condition of a request that changes a vehicle. */
export const ifMatchHeader = z.object({
  'if-match': z.string().optional().openapi({ description: 'An ETag of the vehicle, a list of them, or *.' }),
});

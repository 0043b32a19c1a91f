import { z } from '@hono/zod-openapi';
import { LIFE_STATUS_MEANING, LIFE_STATUS_SINCE } from './life-status.ts';
import { MASTER_DATA, maintenanceField, OPERATION_STATUSES, RENTAL_STATUSES } from './vehicle-fields.ts';

const status = <T extends readonly [string, ...string[]]>(values: T) =>
  z.strictObject({ value: z.enum(values), modified_at: z.iso.datetime() });

const lifeStatus = z.strictObject({
  value: z.enum(['ONLINE', 'STANDBY', 'OFFLINE']).openapi({ description: LIFE_STATUS_MEANING }),
  modified_at: z.iso.datetime().openapi({ description: LIFE_STATUS_SINCE }),
});

/** A vehicle as the list has it, for the document. */
export const vehicleSchema = z
  .strictObject({
    id: z.string(),
    fleet_id: z.string(),
    setup_status: z.enum(['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED']),
    life_status: lifeStatus,
    operation_status: status(OPERATION_STATUSES),
    rental_status: status(RENTAL_STATUSES),
    master_data: z.strictObject(MASTER_DATA),
    custom_fields: z.record(z.string(), z.string()),
    tags: z.array(z.string()),
    maintenance_booked: maintenanceField,
    capabilities: z.strictObject({ commands: z.array(z.string()), vehicle_state: z.array(z.string()) }),
    telematics_unit: z
      .strictObject({
        id: z.string(),
        brand: z.string(),
        model: z.string(),
        hardware_revision: z.int().nullable(),
        firmware_version: z.string().nullable(),
        installation_variant: z.enum(['OBD', 'HARDWIRED']).nullable(),
      })
      .nullable()
      .openapi({ description: 'null: the vehicle has third-party telematics.' }),
    shared_with: z.string().optional(),
    last_contact_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    modified_at: z.iso.datetime(),
  })
  .openapi('Vehicle');

/** A vehicle with its latest state, for the document. Built anew: what extends a closed schema contradicts it. */
export const vehicleDetailSchema = z
  .strictObject({
    ...vehicleSchema.shape,
    latest_vehicle_state: z.record(
      z.string(),
      z.strictObject({ timestamp: z.iso.datetime(), value: z.unknown() }),
    ),
  })
  .openapi('VehicleDetail');

/** The answer of a route that gives one vehicle with its version. */
export const vehicleAnswer = (description: string) => ({
  description,
  headers: z.object({ ETag: z.string() }),
  content: { 'application/json': { schema: vehicleDetailSchema } },
});

/** The condition of a request that changes a vehicle. */
export const ifMatchHeader = z.object({
  'if-match': z.string().optional().openapi({ description: 'An ETag of the vehicle, a list of them, or *.' }),
});

import { createRoute, z } from '@hono/zod-openapi';
import { knownModelNames } from '../../protocol/models/known-models.ts';
import { MAKER_MODELS } from '../../protocol/models/maker-models.ts';
import { MODELS } from '../../protocol/models/models.ts';
import type { App } from '../http/app.ts';
import { refuse } from '../http/environment.ts';
import { entityTag } from '../http/etag.ts';
import { documentedProblems, noParameters } from '../http/openapi/documented.ts';
import { problem, type Refusal } from '../http/problem.ts';
import { quote } from '../http/quoted-text.ts';
import type { Vehicle } from '../store/port/stored-vehicle.ts';
import type { CreatedVehicle } from '../store/port/vehicle-store.ts';
import { etagHeader, vehicleAnswer } from './answer-routes.ts';
import { vehicleLimits } from './limits.ts';
import { merged, tooManyCustomFields } from './merge.ts';
import { CHANGING, type VehicleRoutesParts } from './parts.ts';
import { customFieldsFields, maintenanceField, masterDataFields, tagsField } from './vehicle-fields.ts';
import { vehicleDetail } from './view.ts';

/** POST /vehicles: onboards a vehicle to a box of the fleet's stock, or to its maker's cloud. */
export function onboardingRoutes(app: App, parts: VehicleRoutesParts): void {
  app.openapi({ ...onboardRoute, middleware: [parts.authorize(CHANGING)] as const }, async (c) => {
    const body = c.req.valid('json');
    const wanted = wantedVehicle(parts, body);
    if ('problem' in wanted) return refuse(c, wanted);
    const missing = await missingAtMaker(parts, wanted);
    if (missing !== undefined) return refuse(c, missing);
    const vehicle = await onboard(parts, c.get('caller').fleetId, wanted);
    if ('problem' in vehicle) return refuse(c, vehicle);
    if (vehicle.boxId !== undefined) parts.onboarded(vehicle.boxId);
    return c.json(vehicleDetail(vehicle, parts.models, parts.world.time.nowMs()), 201, {
      Location: `${c.get('baseUrl')}/vehicles/${vehicle.id}`,
      ETag: entityTag(vehicle.revision),
    });
  });
}

type Wanted = Omit<CreatedVehicle, 'id' | 'fleetId' | 'atMs'>;

/** What a body asks for, once it fits together. */
function wantedVehicle({ models, makers }: VehicleRoutesParts, body: OnboardBody): Wanted | Refusal {
  const { telematics_unit: unit, third_party: third, vehicle_model: model } = body;
  const telematics =
    unit !== undefined
      ? { boxId: unit.id }
      : third === undefined
        ? undefined
        : { maker: { name: third.maker, vehicleId: third.vehicle_id } };
  if (telematics === undefined || (unit !== undefined && third !== undefined))
    return problem('validation-error', 'The body must have either telematics_unit or third_party.');
  if (third !== undefined && !makers.includes(third.maker))
    return problem('validation-error', `third_party.maker: must be ${listOf(makers)}.`);
  if (models.telematicsOf(model) !== (third === undefined ? 'box' : 'maker'))
    return problem(
      'validation-error',
      third === undefined
        ? `vehicle_model: there is no model ${quote(model)} with a telematics unit; there are ${knownModelNames().join(', ')}.`
        : `vehicle_model: there is no model ${quote(model)} with third-party telematics; there are ${MAKERS_MODELS}.`,
    );
  const customFields = merged<string>({}, body.custom_fields ?? {});
  return (
    tooManyCustomFields(customFields) ?? {
      telematics,
      model,
      // A box has still to be made acquainted with its vehicle; a maker's vehicle knows itself.
      setupStatus: third === undefined ? 'PENDING' : 'SUCCEEDED',
      masterData: merged<string | number>({}, body.master_data ?? {}),
      customFields,
      tags: body.tags ?? [],
      maintenance: body.maintenance_booked ?? false,
    }
  );
}

function listOf(makers: readonly string[]): string {
  return makers.length === 0 ? 'a maker, but none is configured here' : `one of ${makers.join(', ')}`;
}

/** A maker that cannot be reached does not prevent onboarding. */
async function missingAtMaker(
  { knowsAtMaker }: VehicleRoutesParts,
  { telematics }: Wanted,
): Promise<Refusal | undefined> {
  if (!('maker' in telematics)) return undefined;
  const { name, vehicleId } = telematics.maker;
  if ((await knowsAtMaker?.(name, vehicleId)) !== 'unknown') return undefined;
  return problem('resource-not-found', `${name} has no vehicle ${quote(vehicleId)}.`);
}

async function onboard(
  { world, store }: VehicleRoutesParts,
  fleetId: string,
  wanted: Wanted,
): Promise<Vehicle | Refusal> {
  for (let attempt = 0; attempt < vehicleLimits.idAttempts; attempt += 1) {
    const id = world.ids.code(vehicleLimits.idCharacters);
    const created = await store.vehicles.create({ ...wanted, id, fleetId, atMs: world.time.nowMs() });
    if (created === 'id-taken') continue;
    if (created !== 'created') return obstacle(created, wanted);
    const vehicle = await store.vehicles.find(id);
    // Somebody of the fleet may have removed it already.
    return (
      vehicle ?? problem('conflicting-resource', 'The vehicle was removed while it was being onboarded.')
    );
  }
  return problem('conflicting-resource', 'No vehicle id was free. Try again.');
}

function obstacle(
  found: 'unit-unknown' | 'unit-taken' | 'maker-vehicle-taken' | 'vin-taken',
  { telematics, masterData }: Wanted,
): Refusal {
  const unitId = 'boxId' in telematics ? telematics.boxId : '';
  switch (found) {
    case 'unit-unknown':
      return problem(
        'resource-not-found',
        `There is no telematics unit ${quote(unitId)} in the fleet's stock.`,
      );
    case 'unit-taken':
      return problem('conflicting-resource', `The telematics unit ${quote(unitId)} is in another vehicle.`);
    case 'maker-vehicle-taken':
      return problem('conflicting-resource', "The maker's vehicle is already linked.");
    case 'vin-taken':
      return problem(
        'conflicting-resource',
        `Another vehicle of the fleet has the VIN ${String(masterData['vin'])}.`,
      );
    default:
      return found satisfies never;
  }
}

/** For the document, which is the same in every process. */
const BOX_MODELS = [...MODELS.keys()].join(', ');
const MAKERS_MODELS = [...MAKER_MODELS.keys()].join(', ');

const onboardBody = z
  .strictObject({
    telematics_unit: z
      .strictObject({
        id: z
          .string()
          .regex(/^[0-9a-f]{16}$/, 'must be 16 hex digits in lower case')
          .describe("The id of a unit of the fleet's stock."),
      })
      .optional()
      .describe('The telematics unit that is built into the vehicle.'),
    third_party: z
      .strictObject({
        maker: z.string().describe('The name of a maker whose interface is configured.'),
        vehicle_id: z
          .string()
          .min(1)
          .max(vehicleLimits.makerIdCharacters)
          .describe('The id of the vehicle at its maker.'),
      })
      .optional()
      .describe("The vehicle's own telematics, at its maker."),
    vehicle_model: z
      .string({
        error: ({ input }) =>
          input === undefined
            ? `must be given: ${knownModelNames().join(', ')} with a telematics unit, ${MAKERS_MODELS} with third-party telematics`
            : undefined,
      })
      .describe(
        `What kind of vehicle it is: ${BOX_MODELS} with a telematics unit, ${MAKERS_MODELS} with third-party telematics.`,
      ),
    master_data: masterDataFields.optional(),
    custom_fields: customFieldsFields.optional(),
    tags: tagsField.optional(),
    maintenance_booked: maintenanceField.optional(),
  })
  .describe('The vehicle, and either telematics_unit or third_party.')
  .openapi('NewVehicle');

const locationHeader = z.url().openapi({ description: 'The address of the vehicle.' });

type OnboardBody = z.infer<typeof onboardBody>;

const onboarded = vehicleAnswer('The vehicle. One with a telematics unit is set up next: see setup_status.');

const onboardRoute = createRoute({
  method: 'post',
  path: '/vehicles',
  tags: ['Vehicles'],
  summary: 'Onboards a vehicle.',
  description:
    "To a telematics unit of the fleet's stock, which then sets itself up in the vehicle (setup_status PENDING, RUNNING, then SUCCEEDED or FAILED), or to the vehicle's own telematics at its maker: exactly one of telematics_unit and third_party.",
  request: {
    query: noParameters,
    body: { required: true, content: { 'application/json': { schema: onboardBody } } },
  },
  responses: {
    201: { ...onboarded, headers: z.object({ Location: locationHeader, ETag: etagHeader }) },
    ...documentedProblems(['resource-not-found', 'conflicting-resource']),
  },
});

import { createRoute, z } from '@hono/zod-openapi';
import { LIMITS } from '../../../contract/limits.ts';
import { RECORD_OPERATIONS } from '../../../contract/operations.ts';
import { problem, type Refusal } from '../../../contract/problems.ts';
import { knownModelNames } from '../../../protocol/models/known-models.ts';
import { MAKER_MODELS } from '../../../protocol/models/maker-models.ts';
import { MODELS } from '../../../protocol/models/models.ts';
import { vehicleLimits } from '../../base/limits.ts';
import { quote } from '../../base/quoted-text.ts';
import type { FoundVehicle } from '../../store/port/stored-vehicle.ts';
import type { CreatedVehicle, VehicleStore } from '../../store/port/vehicle-store.ts';
import { merged, tooManyCustomFields } from '../../vehicles/merge.ts';
import {
  customFieldsFields,
  maintenanceField,
  masterDataFields,
  tagsField,
} from '../../vehicles/vehicle-fields.ts';
import type { App } from '../app.ts';
import { refuse } from '../environment.ts';
import { documentedProblems, noParameters, routeOf } from '../openapi/documented.ts';
import { answerOwner, etagHeader, vehicleAnswer } from './vehicle-answers.ts';
import type { VehicleRoutesParts } from './vehicle-routes-parts.ts';

/** POST /vehicles: onboards a vehicle to a box or a maker's vehicle of the fleet's stock. */
export function onboardingRoutes(app: App, parts: VehicleRoutesParts): void {
  app.openapi(
    { ...onboardRoute, middleware: [parts.authorize(RECORD_OPERATIONS.onboard)] as const },
    async (c) => {
      const body = c.req.valid('json');
      const wanted = wantedVehicle(parts, body);
      if ('problem' in wanted) return refuse(c, wanted);
      const { fleetId } = c.get('caller');
      const missing = await missingAtMaker(parts, fleetId, wanted);
      if (missing !== undefined) return refuse(c, missing);
      const vehicle = await onboard(parts, fleetId, wanted);
      if ('problem' in vehicle) return refuse(c, vehicle);
      if (vehicle.boxId !== undefined) parts.onboarded(vehicle.boxId);
      return answerOwner(c, parts, vehicle, 201, {
        Location: `${c.get('baseUrl')}/vehicles/${vehicle.id}`,
      });
    },
  );
}

type Wanted = Omit<CreatedVehicle, 'id' | 'fleetId' | 'atMs'>;

/** The request of a consistent body. */
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
      // A box must first be set up for its vehicle; a maker's vehicle needs no setup.
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

/**
 * The maker is only asked about the fleet's own vehicles: how long it takes to answer about others would reveal which it
 * has. A maker that cannot be reached does not prevent onboarding.
 */
async function missingAtMaker(
  { knowsAtMaker, store }: VehicleRoutesParts,
  fleetId: string,
  { telematics }: Wanted,
): Promise<Refusal | undefined> {
  if (!('maker' in telematics)) return undefined;
  const link = telematics.maker;
  if ((await store.vehicles.findMakerUnit(link))?.fleetId !== fleetId) return notInStock(telematics);
  if ((await knowsAtMaker?.(link.name, link.vehicleId)) !== 'unknown') return undefined;
  return problem('resource-not-found', `${link.name} has no vehicle ${quote(link.vehicleId)}.`);
}

/** The same text whether it does not exist or belongs to another fleet. */
function notInStock(telematics: Wanted['telematics']): Refusal {
  const what =
    'boxId' in telematics
      ? `telematics unit ${quote(telematics.boxId)}`
      : `vehicle ${quote(telematics.maker.vehicleId)} of ${telematics.maker.name}`;
  return problem('resource-not-found', `There is no ${what} in the fleet's stock.`);
}

async function onboard(
  { world, store }: VehicleRoutesParts,
  fleetId: string,
  wanted: Wanted,
): Promise<FoundVehicle | Refusal> {
  for (let attempt = 0; attempt < vehicleLimits.idAttempts; attempt += 1) {
    const id = world.ids.code(vehicleLimits.idCharacters);
    const created = await store.vehicles.create({ ...wanted, id, fleetId, atMs: world.time.nowMs() });
    if (created === 'id-taken') continue;
    if (created !== 'created') return obstacle(created, wanted);
    const vehicle = await store.vehicles.find(id);
    // Another client of the fleet may have removed it already.
    return (
      vehicle ?? problem('conflicting-resource', 'The vehicle was removed while it was being onboarded.')
    );
  }
  return problem('conflicting-resource', 'No vehicle id was free. Try again.');
}

type Obstacle = Exclude<Awaited<ReturnType<VehicleStore['create']>>, 'created' | 'id-taken'>;

function obstacle(found: Obstacle, { telematics, masterData }: Wanted): Refusal {
  const unitId = 'boxId' in telematics ? telematics.boxId : '';
  switch (found) {
    case 'unit-unknown':
    case 'maker-vehicle-unknown':
      return notInStock(telematics);
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
          .max(LIMITS.vehicle.makerIdCharacters)
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
  ...routeOf(RECORD_OPERATIONS.onboard),
  description:
    "To a telematics unit of the fleet's stock, which then sets itself up in the vehicle (setup_status PENDING, RUNNING, then SUCCEEDED or FAILED), or to the own telematics of a maker's vehicle of the fleet's stock: exactly one of telematics_unit and third_party.",
  request: {
    query: noParameters,
    body: { required: true, content: { 'application/json': { schema: onboardBody } } },
  },
  responses: {
    201: { ...onboarded, headers: z.object({ Location: locationHeader, ETag: etagHeader }) },
    ...documentedProblems(RECORD_OPERATIONS.onboard.problems),
  },
});

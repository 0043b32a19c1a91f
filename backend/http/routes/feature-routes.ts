import { createRoute, z } from '@hono/zod-openapi';
import { featureOperations } from '../../../contract/operations.ts';
import { problem, type Refusal } from '../../../contract/problems.ts';
import { bodyJson, refuseBody } from '../../base/body.ts';
import { dateTime } from '../../base/date-time.ts';
import { validationRefusal } from '../../base/validation.ts';
import type { ConfigurationResult, Configurator } from '../../configuration/configurator.ts';
import { FEATURES, type Feature } from '../../configuration/features.ts';
import type { FeatureParameters } from '../../configuration/parameters.ts';
import type { ConfigurationStore, VehicleConfiguration } from '../../store/port/configuration-store.ts';
import type { BoxVehicle } from '../../store/port/stored-vehicle.ts';
import type { VehicleStore } from '../../store/port/vehicle-store.ts';
import { findVisible, hasBox, offboardedMeanwhile, unknownVehicle } from '../../vehicles/find-vehicle.ts';
import type { App } from '../app.ts';
import type { Authorize } from '../authorize.ts';
import { type AppContext, refuse } from '../environment.ts';
import { documentedProblems, noParameters, routeOf, vehicleIdParameters } from '../openapi/documented.ts';

export interface FeatureRoutesParts {
  readonly vehicles: Pick<VehicleStore, 'find'>;
  readonly store: Pick<ConfigurationStore, 'read'>;
  readonly configurator: Configurator;
  readonly authorize: Authorize;
}

/** GET, PUT and DELETE for each row of backend/configuration/features.ts. */
export function featureRoutes(app: App, parts: FeatureRoutesParts): void {
  for (const feature of FEATURES) routesOf(app, parts, feature);
}

function routesOf(app: App, parts: FeatureRoutesParts, feature: Feature): void {
  const { read: readOperation, configure, deactivate } = featureOperations(feature.name);
  const { reading, putting, puttingAsDocumented, deleting } = documentsOf(feature);

  app.openapi({ ...reading, middleware: [parts.authorize(readOperation)] as const }, async (c) => {
    const { id } = c.req.valid('param');
    const { fleetId } = c.get('caller');
    const vehicle = await findVisible(parts.vehicles, fleetId, id);
    if (vehicle === undefined) return refuse(c, unknownVehicle(id));
    if (vehicle.fleetId !== fleetId || !hasBox(vehicle))
      return refuse(c, hasNothingToShow(vehicle.fleetId === fleetId));
    return c.json(bodyOf(feature, await inForceIn(vehicle, parts.store)), 200);
  });

  // The body is read here and not by the library, which refuses an empty one; the document describes it nevertheless.
  app.openAPIRegistry.registerPath(puttingAsDocumented);
  app.openapi({ ...putting, hide: true, middleware: [parts.authorize(configure)] as const }, async (c) => {
    const read = readParameters(c.get('body').bytes, feature.parameters);
    if ('refusal' in read) return refuse(c, read.refusal);
    const applied = await apply(c, parts, feature, c.req.valid('param').id, read.parameters);
    return applied.done ? c.json(bodyOf(feature, applied.inForce), 200) : refuse(c, applied.refusal);
  });

  app.openapi({ ...deleting, middleware: [parts.authorize(deactivate)] as const }, async (c) => {
    const refusedBody = refuseBody(c.get('body'));
    if (refusedBody !== undefined) return refuse(c, refusedBody);
    const applied = await apply(c, parts, feature, c.req.valid('param').id, null);
    return applied.done ? c.body(null, 204) : refuse(c, applied.refusal);
  });
}

/** Until the box is set up in this vehicle, it may still have the configuration of its previous one. */
async function inForceIn(
  { boxId, setupStatus }: BoxVehicle,
  store: FeatureRoutesParts['store'],
): Promise<Pick<VehicleConfiguration, 'features'>> {
  return setupStatus === 'SUCCEEDED' ? store.read(boxId) : { features: {} };
}

function hasNothingToShow(isOwner: boolean): Refusal {
  return problem(
    'resource-not-found',
    isOwner
      ? 'The vehicle has no telematics unit, so it has no configuration.'
      : 'Only the owner of a shared vehicle can see its configuration.',
  );
}

async function apply(
  c: AppContext,
  { vehicles, configurator }: FeatureRoutesParts,
  feature: Feature,
  vehicleId: string,
  parameters: FeatureParameters | null,
): Promise<ConfigurationResult> {
  const { fleetId } = c.get('caller');
  const vehicle = await findVisible(vehicles, fleetId, vehicleId);
  if (vehicle === undefined) return { done: false, refusal: unknownVehicle(vehicleId) };
  const flowId = c.get('flowId');
  const features = { [feature.name]: parameters };
  const applied = await configurator.apply({ vehicle, features, flowId, callerFleetId: fleetId });
  const outcome = applied.done ? 'The configuration was applied.' : applied.refusal.detail;
  const offboarded = await offboardedMeanwhile(vehicles, vehicle, outcome);
  if (offboarded !== undefined) return { done: false, refusal: offboarded };
  if (applied.done) return applied;
  const { refusal } = applied;
  // These endpoints have no conflicting-command: any open request of the vehicle counts as an operation here.
  if (refusal.problem !== 'conflicting-command') return applied;
  return { ...applied, refusal: problem('conflicting-operation', refusal.detail) };
}

/** A feature as GET and PUT show it. */
function bodyOf(
  { name }: Feature,
  { features }: Pick<VehicleConfiguration, 'features'>,
): z.output<typeof plainSchema> {
  const feature = features[name];
  if (feature === undefined) return { status: 'INACTIVE' };
  const { status, parameters, modifiedMs } = feature;
  return { status, parameters, modified_at: dateTime(modifiedMs) };
}

const statusSchema = z
  .enum(['ACTIVE', 'ACTIVATING', 'INACTIVE'])
  .openapi({ description: 'ACTIVATING: the box calibrates; INACTIVE: the box has its defaults.' });

const plainSchema = z.strictObject({
  status: statusSchema,
  parameters: z.custom<FeatureParameters>().optional(),
  modified_at: z.iso.datetime().optional().describe('When the box confirmed it (UTC).'),
});

/** The operations of a feature for the OpenAPI document. */
function documentsOf(feature: Feature) {
  const { title, about, requestSchema, inForceSchema } = feature;
  const { read, configure, deactivate } = featureOperations(feature.name);
  // A copy: a schema that was created before the library was loaded cannot be named in the document.
  const askedSchema = requestSchema
    .clone()
    .describe(`Configures ${about}. Parameters that are left out take their defaults.`)
    .openapi(title);
  const parameters = inForceSchema.clone().describe(`The requested configuration: ${about}.`).optional();
  const shown = z
    .strictObject({ ...plainSchema.shape, parameters })
    .describe(`The configuration in force: ${about}. While it is INACTIVE, only its status is present.`)
    .openapi(`${title}Configuration`);
  const inForce = {
    description: 'The configuration in force.',
    content: { 'application/json': { schema: shown } },
  };
  const request = { params: vehicleIdParameters, query: noParameters };
  const putting = createRoute({
    ...routeOf(configure),
    request,
    responses: { 200: inForce, ...documentedProblems(configure.problems) },
  });
  return {
    reading: createRoute({
      ...routeOf(read),
      request,
      responses: { 200: inForce, ...documentedProblems(read.problems) },
    }),
    putting,
    puttingAsDocumented: {
      ...putting,
      request: {
        ...request,
        body: { required: false, content: { 'application/json': { schema: askedSchema } } },
      },
    },
    deleting: createRoute({
      ...routeOf(deactivate),
      request,
      responses: { 204: { description: 'Inactive.' }, ...documentedProblems(deactivate.problems) },
    }),
  };
}

/**
 * The parameters that the body of a PUT gives, the others at their defaults; an empty body gives none. Total: what
 * breaks a rule is a validation-error that names the property and the rule.
 */
export function readParameters(
  bytes: Uint8Array,
  schema: z.ZodType<FeatureParameters>,
): { readonly parameters: FeatureParameters } | { readonly refusal: Refusal } {
  const json = bytes.byteLength === 0 ? ({ ok: true, value: {} } as const) : bodyJson(bytes);
  if (!json.ok) return { refusal: problem('validation-error', json.rule) };
  if (typeof json.value !== 'object' || json.value === null || Array.isArray(json.value))
    return { refusal: problem('validation-error', 'The body must be empty or an object.') };
  const parsed = schema.safeParse(json.value);
  return parsed.success ? { parameters: parsed.data } : { refusal: validationRefusal(parsed.error.issues) };
}

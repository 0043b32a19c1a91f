import { createRoute, z } from '@hono/zod-openapi';
import type { App } from '../http/app.ts';
import type { Authorize } from '../http/authorize.ts';
import { dateTime } from '../http/date-time.ts';
import { documentedProblems, noParameters, vehicleIdParameters } from '../http/documented.ts';
import { type AppContext, refuse } from '../http/environment.ts';
import { refuseBody } from '../http/no-body.ts';
import { type ProblemKind, problem, type Refusal } from '../http/problem.ts';
import type { ConfigurationStore, VehicleConfiguration } from '../store/configuration-store.ts';
import type { BoxVehicle, VehicleStore } from '../store/vehicle-store.ts';
import { findSeen, hasBox, unknownVehicle } from '../vehicles/own.ts';
import type { Applied, Configurator } from './configurator.ts';
import { readParameters } from './feature-request.ts';
import { FEATURES, type Feature } from './features.ts';
import { lackProblem } from './guards.ts';
import type { FeatureParameters } from './parameters.ts';

export interface FeatureRoutesParts {
  readonly vehicles: Pick<VehicleStore, 'find'>;
  readonly store: Pick<ConfigurationStore, 'read'>;
  readonly configurator: Configurator;
  readonly authorize: Authorize;
}

const CONFIGURING = { scope: 'VEHICLE_CONFIGURATION', permission: 'vehicle-configuration' } as const;
const READING = { scope: 'VEHICLE_CONFIGURATION_RO', permission: 'vehicle-configuration.ro' } as const;

/** GET, PUT and DELETE for each row of configuration/features.ts. */
export function featureRoutes(app: App, parts: FeatureRoutesParts): void {
  for (const feature of FEATURES) routesOf(app, parts, feature);
}

function routesOf(app: App, parts: FeatureRoutesParts, feature: Feature): void {
  const { reading, putting, puttingAsDocumented, deleting } = documentsOf(feature);

  app.openapi({ ...reading, middleware: [parts.authorize(READING)] as const }, async (c) => {
    const { id } = c.req.valid('param');
    const { fleetId } = c.get('caller');
    const vehicle = await findSeen(parts.vehicles, fleetId, id);
    if (vehicle === undefined) return refuse(c, unknownVehicle(id));
    if (vehicle.fleetId !== fleetId || !hasBox(vehicle))
      return refuse(c, hasNothingToShow(vehicle.fleetId === fleetId));
    return c.json(bodyOf(feature, await inForceIn(vehicle, parts.store)), 200);
  });

  // The body is read here and not by the library, which refuses an empty one; the document has it all the same.
  app.openAPIRegistry.registerPath(puttingAsDocumented);
  app.openapi({ ...putting, hide: true, middleware: [parts.authorize(CONFIGURING)] as const }, async (c) => {
    const read = readParameters(c.get('body').bytes, feature.parameters);
    if ('refusal' in read) return refuse(c, read.refusal);
    const applied = await apply(c, parts, feature, c.req.valid('param').id, read.parameters);
    return applied.done ? c.json(bodyOf(feature, applied.inForce), 200) : refuse(c, applied.refusal);
  });

  app.openapi({ ...deleting, middleware: [parts.authorize(CONFIGURING)] as const }, async (c) => {
    const refusedBody = refuseBody(c.get('body'));
    if (refusedBody !== undefined) return refuse(c, refusedBody);
    const applied = await apply(c, parts, feature, c.req.valid('param').id, null);
    return applied.done ? c.body(null, 204) : refuse(c, applied.refusal);
  });
}

/** Until the box is set up in this vehicle it may still have what its last one was configured to. */
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
      ? 'The vehicle has no telematics unit, and so there is no configuration of one.'
      : 'The configuration of a vehicle that is shared with you is for its owner to see.',
  );
}

async function apply(
  c: AppContext,
  { vehicles, configurator }: FeatureRoutesParts,
  feature: Feature,
  vehicleId: string,
  parameters: FeatureParameters | null,
): Promise<Applied> {
  const { fleetId } = c.get('caller');
  const vehicle = await findSeen(vehicles, fleetId, vehicleId);
  if (vehicle === undefined) return { done: false, refusal: unknownVehicle(vehicleId), isSent: false };
  const flowId = c.get('flowId');
  const features = { [feature.name]: parameters };
  const applied = await configurator.apply({ vehicle, features, flowId, callerFleetId: fleetId });
  if (applied.done) return applied;
  const { refusal } = applied;
  // These endpoints know no conflicting command: whatever the vehicle is busy with is an operation to them.
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

/** What may stand against any change of a configuration. */
const REFUSALS: readonly ProblemKind[] = [
  'resource-not-found',
  'conflicting-setup-status',
  'shared-with-partner',
  'command-not-supported',
  'conflicting-resource',
  'conflicting-operation',
  'telematics-unit-error',
  'no-connection',
];

/** What a box can lack for the feature. Every box can do without one. */
function lackOf({ needs }: Feature): readonly ProblemKind[] {
  return needs.map(lackProblem);
}

/** The operations of a feature for the OpenAPI document. */
function documentsOf(feature: Feature) {
  const { path, title, about, asked, inForce: given } = feature;
  // A copy: a schema of before the library was loaded cannot be named in the document.
  const askedSchema = asked
    .clone()
    .describe(`Configures ${about}. What is left out takes its default.`)
    .openapi(title);
  const parameters = given.clone().describe(`What was asked for: ${about}.`).optional();
  const shown = z
    .strictObject({ ...plainSchema.shape, parameters })
    .describe(`What is in force: ${about}. Inactive, it has its status alone.`)
    .openapi(`${title}Configuration`);
  const inForce = {
    description: 'The configuration in force.',
    content: { 'application/json': { schema: shown } },
  };
  const request = { params: vehicleIdParameters, query: noParameters };
  const tags = ['Feature Configuration'];
  const putting = createRoute({
    method: 'put',
    path,
    tags,
    summary: `Configures ${about}.`,
    request,
    responses: { 200: inForce, ...documentedProblems([...REFUSALS, ...lackOf(feature)]) },
  });
  return {
    reading: createRoute({
      method: 'get',
      path,
      tags,
      summary: `Shows what is configured: ${about}.`,
      request,
      responses: { 200: inForce, ...documentedProblems(['resource-not-found']) },
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
      method: 'delete',
      path,
      tags,
      summary: `Takes back what is configured: ${about}.`,
      request,
      responses: { 204: { description: 'Inactive.' }, ...documentedProblems(REFUSALS) },
    }),
  };
}

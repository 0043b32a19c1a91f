import { COMMAND_FOLDERS, type ScenarioCall } from '../language/steps/calls.ts';
import type { SimulatedVehicle } from '../testbed/port/simulated-vehicle.ts';
import type { ApiRequest, Testbed } from '../testbed/port/testbed.ts';
import type { RememberedAnswers } from './remembered.ts';

/** One request to be sent, and its vehicle; none if it is about none or several. */
export interface PlannedRequest {
  readonly vehicle?: SimulatedVehicle;
  readonly request: ApiRequest;
}

/** What a run keeps from earlier calls for later ones. */
export interface RememberedValues {
  /** Tokens by the names given with `token`. */
  readonly tokens: ReadonlyMap<string, string>;
  /** The last bulk job. */
  readonly jobId: string | undefined;
  /** The ids of subscriptions by name. */
  readonly subscriptions: ReadonlyMap<string, string>;
  /** What was kept of answers. */
  readonly answers: Pick<RememberedAnswers, 'fill'>;
}

/** The requests of a step's call. The call `token` has none: the run fetches the token itself. */
export function requestsOf(
  call: ScenarioCall,
  vehicles: readonly SimulatedVehicle[],
  memory: RememberedValues,
  testbed: Pick<Testbed, 'fleetId'>,
): readonly PlannedRequest[] {
  const as = call.as ?? 'owner';
  const token = call.bearer === undefined ? undefined : memory.tokens.get(call.bearer);
  const made = (method: string, path: string, body?: unknown): ApiRequest => ({
    method,
    path,
    as,
    ...(body === undefined ? {} : { body }),
    ...(token === undefined ? {} : { token }),
  });
  const each = (ask: (vehicle: SimulatedVehicle) => ApiRequest) =>
    vehicles.map((vehicle) => ({ vehicle, request: ask(vehicle) }));
  const below = (vehicle: SimulatedVehicle, path: string) => `/vehicles/${vehicle.vehicleId}${path}`;
  const { answers } = memory;
  const filled = (
    path: string,
    ask: (path: string, vehicle?: SimulatedVehicle) => ApiRequest,
  ): readonly PlannedRequest[] =>
    /\{(?:vehicle|box)\}/.test(path)
      ? each((vehicle) => ask(fill(path, memory, testbed, vehicle), vehicle))
      : [{ request: ask(fill(path, memory, testbed)) }];

  switch (call.name) {
    case 'command':
      return each((vehicle) =>
        made('POST', below(vehicle, `/${COMMAND_FOLDERS.get(call.settings) ?? 'commands'}/${call.settings}`)),
      );
    case 'configure':
      return Object.entries(call.settings).flatMap(([feature, parameters]) =>
        parameters === undefined
          ? []
          : each((vehicle) => made('PUT', below(vehicle, featurePath(feature)), parameters)),
      );
    case 'deactivate':
      return each((vehicle) => made('DELETE', below(vehicle, featurePath(call.settings))));
    case 'bulk':
      return [{ request: made('POST', BULK, bulkBody(vehicles, call.settings)) }];
    case 'token':
      return [];
    case 'get':
      return filled(call.settings, (path) => made('GET', path));
    case 'patch':
      return each((vehicle) =>
        made('PATCH', below(vehicle, ''), answers.fill(call.settings, vehicle.number)),
      );
    case 'onboard':
      return each((vehicle) =>
        made('POST', '/vehicles', { telematics_unit: { id: vehicle.boxId }, vehicle_model: vehicle.model }),
      );
    case 'offboard':
      return each((vehicle) => made('DELETE', below(vehicle, '')));
    case 'share':
      return each((vehicle) =>
        made('PUT', below(vehicle, '/sharing'), { partner_fleet_id: testbed.fleetId(call.settings) }),
      );
    case 'unshare':
      return each((vehicle) => made('DELETE', below(vehicle, '/sharing')));
    case 'subscribe': {
      const { name, topics } = call.settings;
      return [{ request: made('POST', '/message-subscriptions', { queue_discriminator: name, topics }) }];
    }
    case 'unsubscribe': {
      const id = memory.subscriptions.get(call.settings) ?? call.settings;
      return [{ request: made('DELETE', `/message-subscriptions/${id}`) }];
    }
    case 'request': {
      const { method, path, body, headers } = call.settings;
      return filled(path, (to, vehicle) => ({
        ...made(method, to, answers.fill(body, vehicle?.number)),
        ...(headers === undefined ? {} : { headers: asTexts(answers.fill(headers, vehicle?.number)) }),
      }));
    }
    default:
      return call satisfies never;
  }
}

export const BULK = '/configure-vehicle-telematics-unit-bulk';

/** The name of a call in a timeline: `command unlock-central-lock`. */
export function nameOf(call: ScenarioCall): string {
  const { settings } = call;
  return typeof settings === 'string' ? `${call.name} ${settings}` : call.name;
}

function featurePath(feature: string): string {
  return feature === 'box-settings'
    ? '/telematics-unit/box-settings'
    : `/telematics-unit/feature-configuration/${feature}`;
}

/** The features of a bulk request: keys are their names in snake_case (docs/api.md, Bulk configuration). */
function bulkBody(vehicles: readonly SimulatedVehicle[], features: object): unknown {
  return {
    items: vehicles.map(({ vehicleId }) => ({ id: vehicleId })),
    feature_configuration: Object.fromEntries(
      Object.entries(features).map(([name, value]) => [name.replaceAll('-', '_'), value]),
    ),
  };
}

function fill(
  path: string,
  memory: RememberedValues,
  testbed: Pick<Testbed, 'fleetId'>,
  vehicle?: SimulatedVehicle,
): string {
  const filled = path
    .replaceAll('{vehicle}', vehicle?.vehicleId ?? '')
    .replaceAll('{box}', vehicle?.boxId ?? '')
    .replaceAll('{job}', memory.jobId ?? '')
    .replaceAll('{fleet}', vehicle?.fleetId ?? testbed.fleetId('own'));
  return String(memory.answers.fill(filled, vehicle?.number));
}

function asTexts(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

import { BULK_PATH, SUBSCRIPTIONS_PATH } from '../../../contract/operation.ts';
import { COMMAND_FOLDERS, type ScenarioCall } from './calls.ts';

/** One request to the API of the service. */
export interface ApiRequest {
  readonly method: string;
  /** Without placeholders. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** A client of the scenario or a row of `CALLERS`. */
  readonly as: string;
  /** Used unchanged, empty where the service gave none; absent: a valid token of that client. */
  readonly token?: string;
}

/** The vehicle of a call. */
export interface CalledVehicle {
  /** From 1, in the order of the fleet. */
  readonly number: number;
  /** Empty while it is not onboarded. */
  readonly vehicleId: string;
  readonly model: string;
  /** Undefined: its maker's telematics. */
  readonly boxId: string | undefined;
  readonly fleetId: string;
}

/** One request to be sent, and its vehicle; none if it has none or several. */
export interface PlannedRequest<Vehicle extends CalledVehicle> {
  readonly vehicle?: Vehicle;
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
  /** The remembered values of answers. */
  readonly answers: { fill<T>(value: T, vehicle: number | undefined): T };
}

/** The id of the fleet behind a name of the language: `own`, `partner`, `stranger`. */
export interface Fleets {
  fleetId(name: string): string;
}

/** A path that has to be filled in for each vehicle. */
const ABOUT_VEHICLE = /\{(?:vehicle|box)\}/;

/** The requests of a step's call. The call `token` has none: the run fetches the token itself. */
export function requestsOf<Vehicle extends CalledVehicle>(
  call: ScenarioCall,
  vehicles: readonly Vehicle[],
  memory: RememberedValues,
  fleets: Fleets,
): readonly PlannedRequest<Vehicle>[] {
  const as = call.as ?? 'owner';
  const token = call.bearer === undefined ? undefined : memory.tokens.get(call.bearer);
  const made = (method: string, path: string, body?: unknown): ApiRequest => ({
    method,
    path,
    as,
    ...(body === undefined ? {} : { body }),
    ...(token === undefined ? {} : { token }),
  });
  const each = (ask: (vehicle: Vehicle) => ApiRequest) =>
    vehicles.map((vehicle) => ({ vehicle, request: ask(vehicle) }));
  const below = (vehicle: Vehicle, path: string) => `/vehicles/${vehicle.vehicleId}${path}`;
  const { answers } = memory;
  const filled = (
    path: string,
    ask: (path: string, vehicle?: Vehicle) => ApiRequest,
  ): readonly PlannedRequest<Vehicle>[] =>
    ABOUT_VEHICLE.test(path)
      ? each((vehicle) => ask(fill(path, memory, fleets, vehicle), vehicle))
      : [{ request: ask(fill(path, memory, fleets)) }];

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
      return [{ request: made('POST', BULK_PATH, bulkBody(vehicles, call.settings)) }];
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
        made('PUT', below(vehicle, '/sharing'), { partner_fleet_id: fleets.fleetId(call.settings) }),
      );
    case 'unshare':
      return each((vehicle) => made('DELETE', below(vehicle, '/sharing')));
    case 'subscribe': {
      const { name, topics } = call.settings;
      return [{ request: made('POST', SUBSCRIPTIONS_PATH, { queue_discriminator: name, topics }) }];
    }
    case 'unsubscribe': {
      const id = memory.subscriptions.get(call.settings) ?? call.settings;
      return [{ request: made('DELETE', `${SUBSCRIPTIONS_PATH}/${id}`) }];
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

/** Whether a call is a single request, however many vehicles the step selects. */
export function isOneRequest(call: ScenarioCall): boolean {
  switch (call.name) {
    case 'bulk':
    case 'token':
    case 'subscribe':
    case 'unsubscribe':
      return true;
    case 'get':
      return !ABOUT_VEHICLE.test(call.settings);
    case 'request':
      return !ABOUT_VEHICLE.test(call.settings.path);
    default:
      return false;
  }
}

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
function bulkBody(vehicles: readonly CalledVehicle[], features: object): unknown {
  return {
    items: vehicles.map(({ vehicleId }) => ({ id: vehicleId })),
    feature_configuration: Object.fromEntries(
      Object.entries(features).map(([name, value]) => [name.replaceAll('-', '_'), value]),
    ),
  };
}

function fill(path: string, memory: RememberedValues, fleets: Fleets, vehicle?: CalledVehicle): string {
  const filled = path
    .replaceAll('{vehicle}', vehicle?.vehicleId ?? '')
    .replaceAll('{box}', vehicle?.boxId ?? '')
    .replaceAll('{job}', memory.jobId ?? '')
    .replaceAll('{fleet}', vehicle?.fleetId ?? fleets.fleetId('own'));
  return String(memory.answers.fill(filled, vehicle?.number));
}

function asTexts(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

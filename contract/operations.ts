import { COMMAND_OPERATIONS, CONNECTIVITY_OPERATIONS } from './command-operations.ts';
import { FEATURES, type FeatureName } from './features.ts';
import { CONFIGURATION_GUARDS, type GuardName, inOrder, problemOfGuard } from './guards.ts';
import { ID_FORM, LIMITS } from './limits.ts';
import {
  BULK_PATH,
  type Operation,
  type OperationKind,
  operationName,
  SUBSCRIPTIONS_PATH,
} from './operation.ts';
import { type Permission, permitted } from './permissions.ts';
import type { ProblemKind } from './problems.ts';

interface RecordRow {
  readonly method: Operation['method'];
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly permission: Permission;
  readonly problems: readonly ProblemKind[];
}

const SUBSCRIPTION_PATH = `${SUBSCRIPTIONS_PATH}/{subscription_id}`;

const RECORD_ROWS = {
  list: {
    method: 'GET',
    path: '/vehicles',
    tag: 'Vehicles',
    summary: "Lists the fleet's vehicles, and those shared with it, by id, page by page.",
    permission: 'vehicles.ro',
    problems: [],
  },
  read: {
    method: 'GET',
    path: '/vehicles/{id}',
    tag: 'Vehicles',
    summary: 'A vehicle with its latest state.',
    permission: 'vehicles.ro',
    problems: ['resource-not-found'],
  },
  onboard: {
    method: 'POST',
    path: '/vehicles',
    tag: 'Vehicles',
    summary: 'Onboards a vehicle.',
    permission: 'vehicles',
    problems: ['resource-not-found', 'conflicting-resource'],
  },
  change: {
    method: 'PATCH',
    path: '/vehicles/{id}',
    tag: 'Vehicles',
    summary: 'Changes the data that its owner keeps about a vehicle.',
    permission: 'vehicles',
    problems: ['resource-not-found', 'conflicting-resource', 'resource-modified'],
  },
  offboard: {
    method: 'DELETE',
    path: '/vehicles/{id}',
    tag: 'Vehicles',
    summary: "Offboards a vehicle. Its telematics unit is in the fleet's stock again.",
    permission: 'vehicles',
    problems: ['resource-not-found', 'conflicting-resource', 'resource-modified'],
  },
  share: {
    method: 'PUT',
    path: '/vehicles/{id}/sharing',
    tag: 'Vehicles',
    summary: 'Shares a vehicle with another fleet.',
    permission: 'vehicles',
    problems: ['resource-not-found', 'conflicting-resource'],
  },
  unshare: {
    method: 'DELETE',
    path: '/vehicles/{id}/sharing',
    tag: 'Vehicles',
    summary: 'Ends the sharing of a vehicle.',
    permission: 'vehicles',
    problems: ['resource-not-found', 'conflicting-resource'],
  },
  bulk: {
    method: 'POST',
    path: BULK_PATH,
    tag: 'Feature Configuration',
    summary: `Configures features of up to ${LIMITS.bulk.vehicles.toLocaleString('en')} vehicles, each as soon as it can be reached within ${LIMITS.bulk.jobMs / 3_600_000} h.`,
    permission: 'vehicle-configuration',
    problems: [],
  },
  'read-bulk': {
    method: 'GET',
    path: `${BULK_PATH}/{job_id}`,
    tag: 'Feature Configuration',
    summary: 'Shows a bulk configuration job with the results of its vehicles, page by page.',
    permission: 'vehicle-configuration.ro',
    problems: ['resource-not-found'],
  },
  subscribe: {
    method: 'POST',
    path: SUBSCRIPTIONS_PATH,
    tag: 'Message Subscriptions',
    summary: 'Subscribes to topics: creates a queue for each and an account that reads them.',
    permission: 'message-subscriptions',
    problems: ['conflicting-resource'],
  },
  'list-subscriptions': {
    method: 'GET',
    path: SUBSCRIPTIONS_PATH,
    tag: 'Message Subscriptions',
    summary: "Lists the fleet's message subscriptions, the oldest first.",
    permission: 'message-subscriptions',
    problems: [],
  },
  'read-subscription': {
    method: 'GET',
    path: SUBSCRIPTION_PATH,
    tag: 'Message Subscriptions',
    summary: 'A message subscription.',
    permission: 'message-subscriptions',
    problems: ['resource-not-found'],
  },
  'cancel-subscription': {
    method: 'DELETE',
    path: SUBSCRIPTION_PATH,
    tag: 'Message Subscriptions',
    summary: 'Deletes a message subscription.',
    permission: 'message-subscriptions',
    problems: ['resource-not-found'],
  },
} as const satisfies Readonly<Partial<Record<OperationKind, RecordRow>>>;

type RecordKind = keyof typeof RECORD_ROWS;

/** The operations on vehicles, bulk jobs and subscriptions, of which there is one of each kind. */
export const RECORD_OPERATIONS = Object.fromEntries(
  Object.entries(RECORD_ROWS).map(([kind, row]) => [
    kind,
    { ...row, kind, ...permitted(row.permission), guards: [] },
  ]),
) as unknown as Readonly<Record<RecordKind, Operation>>;

/** The operations on one feature. */
export interface FeatureOperations {
  readonly read: Operation;
  readonly configure: Operation;
  readonly deactivate: Operation;
}

/** The operations of a feature, or of the settings of the box. */
export function featureOperations(name: FeatureName): FeatureOperations {
  const { about, guards } = FEATURES[name];
  const unit = '/vehicles/{id}/telematics-unit';
  const shared = {
    path: name === 'box-settings' ? `${unit}/box-settings` : `${unit}/feature-configuration/${name}`,
    tag: 'Feature Configuration',
    name,
  };
  const changing = (named: readonly GuardName[]) => ({
    ...shared,
    ...permitted('vehicle-configuration'),
    guards: inOrder(named),
    problems: ['resource-not-found', ...named.map(problemOfGuard), 'telematics-unit-error'] as const,
  });
  return {
    read: {
      ...shared,
      ...permitted('vehicle-configuration.ro'),
      method: 'GET',
      kind: 'read-configuration',
      summary: `Shows the configuration: ${about}.`,
      guards: [],
      problems: ['resource-not-found'],
    },
    configure: {
      ...changing([...CONFIGURATION_GUARDS, ...guards]),
      method: 'PUT',
      kind: 'configure',
      summary: `Configures ${about}.`,
    },
    deactivate: {
      ...changing(CONFIGURATION_GUARDS),
      method: 'DELETE',
      kind: 'deactivate',
      summary: `Removes the configuration: ${about}.`,
    },
  };
}

/** Every operation of the API behind a token. */
export const OPERATIONS: readonly Operation[] = [
  ...COMMAND_OPERATIONS,
  ...CONNECTIVITY_OPERATIONS,
  ...Object.values(RECORD_OPERATIONS),
  ...(Object.keys(FEATURES) as FeatureName[]).flatMap((name) => Object.values(featureOperations(name))),
];

/** The path of each operation is one of these, or below it. */
export const ROOT_PATHS: readonly string[] = [
  ...new Set(OPERATIONS.map(({ path }) => `/${path.split('/')[1]}`)),
];

const BY_NAME: ReadonlyMap<string, Operation> = new Map(OPERATIONS.map((one) => [operationName(one), one]));

const OF_VEHICLE = new RegExp(`^/vehicles/(${ID_FORM})(?:/|$)`);
const OF_JOB = new RegExp(`^(${BULK_PATH})/[0-9A-Za-z-]+$`);
const OF_SUBSCRIPTION = new RegExp(`^(${SUBSCRIPTIONS_PATH})/[0-9A-Za-z-]+$`);

/** A call as the contract sees it: its operation, and the vehicle in its path. */
export interface CalledOperation {
  readonly operation: Operation;
  readonly vehicleId: string | undefined;
}

/** The operation of a call; undefined: the contract has no such operation. `path` may have a query. */
export function calledOperation({
  method,
  path,
}: {
  readonly method: string;
  readonly path: string;
}): CalledOperation | undefined {
  const [plain = ''] = path.split('?', 1);
  const [, vehicleId] = OF_VEHICLE.exec(plain) ?? [];
  const template =
    vehicleId === undefined
      ? plain.replace(OF_JOB, '$1/{job_id}').replace(OF_SUBSCRIPTION, '$1/{subscription_id}')
      : plain.replace(vehicleId, '{id}');
  const operation = BY_NAME.get(`${method} ${template}`);
  return operation === undefined ? undefined : { operation, vehicleId };
}

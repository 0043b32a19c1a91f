/**
 * One operation of the service, as the contract defines it. The list is kept apart from the backend's own
 * tables, so that a test can compare the two.
 */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In OpenAPI's form. */
  readonly path: string;
  readonly scope: string;
  readonly permission: string;
  readonly kind: OperationKind;
  /** The capability that the vehicle must have, if any. */
  readonly capability?: string;
  /** The feature that it configures, in kebab-case; or `box-settings`. */
  readonly feature?: string;
}

export type OperationKind =
  | 'system-status'
  | 'box-reset'
  | 'workshop'
  | 'network-detach'
  | 'sim'
  | 'vehicle-command'
  | 'vehicle-command-at-rest'
  | 'list'
  | 'read'
  | 'onboard'
  | 'change'
  | 'offboard'
  | 'share'
  | 'unshare'
  | 'read-configuration'
  | 'configure'
  | 'deactivate'
  | 'bulk'
  | 'read-bulk'
  | 'list-subscriptions'
  | 'subscribe'
  | 'read-subscription'
  | 'cancel-subscription';

interface Row {
  readonly kind: OperationKind;
  readonly names: readonly string[];
}

const BOX_COMMANDS: readonly Row[] = [
  { kind: 'system-status', names: ['request-system-status'] },
  {
    kind: 'box-reset',
    names: ['ble-reset', 'board-reset', 'modem-reset', 'data-connection-reset', 'switch-mobile-network'],
  },
  { kind: 'workshop', names: ['activate-workshop-mode', 'deactivate-workshop-mode'] },
];

const CONNECTIVITY_COMMANDS: readonly Row[] = [
  { kind: 'network-detach', names: ['network-detach'] },
  { kind: 'sim', names: ['request-sim-activation', 'request-sim-suspension'] },
];

const VEHICLE_COMMANDS: readonly Row[] = [
  {
    kind: 'vehicle-command',
    names: ['request-vehicle-state', 'enable-driving', 'draw-attention'],
  },
  {
    kind: 'vehicle-command-at-rest',
    names: [
      'disable-driving',
      'unlock-central-lock',
      'lock-central-lock',
      'unlock-and-enable-driving',
      'lock-and-disable-driving',
      'unlock-top-case',
      'lock-top-case',
      'unlock-battery-compartment',
    ],
  },
];

export const FEATURES = [
  'tracking',
  'damage-detection',
  'smoke-detection',
  'driving-events',
  'parking-events',
  'auto-immobilizer-control',
  'box-settings',
] as const;

const VEHICLES_RO = { scope: 'VEHICLES_RO', permission: 'vehicles.ro' };
const VEHICLES = { scope: 'VEHICLES', permission: 'vehicles' };
const CONFIGURATION_RO = { scope: 'VEHICLE_CONFIGURATION_RO', permission: 'vehicle-configuration.ro' };
const CONFIGURATION = { scope: 'VEHICLE_CONFIGURATION', permission: 'vehicle-configuration' };
const SUBSCRIPTIONS = { scope: 'MESSAGE_SUBSCRIPTIONS', permission: 'message-subscriptions' };
const SUBSCRIPTIONS_PATH = '/message-subscriptions';
const BULK_PATH = '/configure-vehicle-telematics-unit-bulk';

export const OPERATIONS: readonly Operation[] = [
  ...commands(BOX_COMMANDS, 'box-commands', 'vehicle-commands'),
  ...commands(CONNECTIVITY_COMMANDS, 'box-connectivity-commands', 'connectivity-commands'),
  ...commands(VEHICLE_COMMANDS, 'commands', 'vehicle-commands'),
  { method: 'GET', path: '/vehicles', kind: 'list', ...VEHICLES_RO },
  { method: 'GET', path: '/vehicles/{id}', kind: 'read', ...VEHICLES_RO },
  { method: 'POST', path: '/vehicles', kind: 'onboard', ...VEHICLES },
  { method: 'PATCH', path: '/vehicles/{id}', kind: 'change', ...VEHICLES },
  { method: 'DELETE', path: '/vehicles/{id}', kind: 'offboard', ...VEHICLES },
  { method: 'PUT', path: '/vehicles/{id}/sharing', kind: 'share', ...VEHICLES },
  { method: 'DELETE', path: '/vehicles/{id}/sharing', kind: 'unshare', ...VEHICLES },
  ...FEATURES.flatMap((feature): readonly Operation[] => {
    const unit = '/vehicles/{id}/telematics-unit';
    const path =
      feature === 'box-settings' ? `${unit}/box-settings` : `${unit}/feature-configuration/${feature}`;
    return [
      { method: 'GET', path, kind: 'read-configuration', feature, ...CONFIGURATION_RO },
      { method: 'PUT', path, kind: 'configure', feature, ...CONFIGURATION },
      { method: 'DELETE', path, kind: 'deactivate', feature, ...CONFIGURATION },
    ];
  }),
  { method: 'POST', path: BULK_PATH, kind: 'bulk', ...CONFIGURATION },
  { method: 'GET', path: `${BULK_PATH}/{job_id}`, kind: 'read-bulk', ...CONFIGURATION_RO },
  { method: 'GET', path: SUBSCRIPTIONS_PATH, kind: 'list-subscriptions', ...SUBSCRIPTIONS },
  { method: 'POST', path: SUBSCRIPTIONS_PATH, kind: 'subscribe', ...SUBSCRIPTIONS },
  {
    method: 'GET',
    path: `${SUBSCRIPTIONS_PATH}/{subscription_id}`,
    kind: 'read-subscription',
    ...SUBSCRIPTIONS,
  },
  {
    method: 'DELETE',
    path: `${SUBSCRIPTIONS_PATH}/{subscription_id}`,
    kind: 'cancel-subscription',
    ...SUBSCRIPTIONS,
  },
];

/** `POST /vehicles/{id}/commands/unlock-central-lock` */
export function operationName({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

function commands(rows: readonly Row[], folder: string, permission: string): readonly Operation[] {
  return rows.flatMap(({ kind, names }) =>
    names.map((name) => ({
      method: 'POST' as const,
      path: `/vehicles/{id}/${folder}/${name}`,
      scope: 'VEHICLE_COMMANDS',
      permission,
      kind,
      capability: name.replaceAll('-', '_').toUpperCase(),
    })),
  );
}

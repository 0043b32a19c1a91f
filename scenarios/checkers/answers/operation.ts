import type { AnsweredCall } from '../../testbed/port/evidence.ts';

/** What a call asks for. `permission`: docs/api.md, What a token may do. */
export interface Operation {
  readonly kind:
    | 'see'
    | 'onboard'
    | 'change'
    | 'share'
    | 'vehicle-command'
    | 'box-command'
    | 'card-command'
    | 'see-configuration'
    | 'configure'
    | 'bulk'
    | 'subscribe';
  readonly permission: string;
  /** Of one vehicle: its id. */
  readonly vehicleId?: string;
  /** Of a command or a feature: its name. */
  readonly name?: string;
}

interface PathRow {
  readonly path: RegExp;
  /** By method. */
  readonly does: Readonly<Record<string, readonly [kind: Operation['kind'], permission: string]>>;
}

const SEE = ['see', 'vehicles.ro'] as const;
const CHANGE = ['change', 'vehicles'] as const;
const SHARE = ['share', 'vehicles'] as const;
const SEE_CONFIGURATION = ['see-configuration', 'vehicle-configuration.ro'] as const;
const CONFIGURE = ['configure', 'vehicle-configuration'] as const;
const SUBSCRIBE = ['subscribe', 'message-subscriptions'] as const;

const ID = '([A-Z0-9]{5,12})';
const NAME = '([a-z-]+)';
const UNIT = `^/vehicles/${ID}/telematics-unit`;
const ROWS: readonly PathRow[] = [
  { path: /^\/vehicles$/, does: { GET: SEE, POST: ['onboard', 'vehicles'] } },
  { path: new RegExp(`^/vehicles/${ID}$`), does: { GET: SEE, PATCH: CHANGE, DELETE: CHANGE } },
  { path: new RegExp(`^/vehicles/${ID}/sharing$`), does: { PUT: SHARE, DELETE: SHARE } },
  {
    path: new RegExp(`^/vehicles/${ID}/commands/${NAME}$`),
    does: { POST: ['vehicle-command', 'vehicle-commands'] },
  },
  {
    path: new RegExp(`^/vehicles/${ID}/box-commands/${NAME}$`),
    does: { POST: ['box-command', 'vehicle-commands'] },
  },
  {
    path: new RegExp(`^/vehicles/${ID}/box-connectivity-commands/${NAME}$`),
    does: { POST: ['card-command', 'connectivity-commands'] },
  },
  {
    path: new RegExp(`${UNIT}/feature-configuration/${NAME}$`),
    does: { GET: SEE_CONFIGURATION, PUT: CONFIGURE, DELETE: CONFIGURE },
  },
  {
    path: new RegExp(`${UNIT}/(box-settings)$`),
    does: { GET: SEE_CONFIGURATION, PUT: CONFIGURE, DELETE: CONFIGURE },
  },
  {
    path: /^\/configure-vehicle-telematics-unit-bulk(?:\/[0-9A-Z]{26})?$/,
    does: { GET: ['bulk', 'vehicle-configuration.ro'], POST: ['bulk', 'vehicle-configuration'] },
  },
  {
    path: /^\/message-subscriptions(?:\/[0-9A-Z]{26})?$/,
    does: { GET: SUBSCRIBE, POST: SUBSCRIBE, DELETE: SUBSCRIBE },
  },
];

/** What a call asks for; undefined: no operation that the contract has. */
export function operationOf({ method, path }: Pick<AnsweredCall, 'method' | 'path'>): Operation | undefined {
  const [plain = ''] = path.split('?', 1);
  for (const row of ROWS) {
    const found = row.path.exec(plain);
    const does = row.does[method];
    if (found === null || does === undefined) continue;
    const [, vehicleId, name] = found;
    return {
      kind: does[0],
      permission: does[1],
      ...(vehicleId === undefined ? {} : { vehicleId }),
      ...(name === undefined ? {} : { name }),
    };
  }
  return undefined;
}

/** Whether it goes to the vehicle or its box over the air. */
export function isSentToVehicle({ kind }: Operation): boolean {
  return kind === 'vehicle-command' || kind === 'box-command' || kind === 'configure';
}

import type { ProblemKind } from '../../backend/http/problem.ts';
import { FEATURES, OPERATIONS, type Operation, type OperationKind, operationName } from './operations.ts';

/** One way in which an operation is refused with a problem. */
export interface ProblemRow {
  readonly operation: Operation;
  readonly problem: ProblemKind;
  /** The name of a cause (causes.ts). */
  readonly cause: string;
}

type Pair = readonly [problem: ProblemKind, cause: string];

/** Problems that every operation can have. */
const EVERYWHERE: readonly Pair[] = [
  ['method-not-allowed', 'wrong-method'],
  ['missing-credentials', 'no-token'],
  ['invalid-credentials', 'unreadable-token'],
  ['invalid-credentials', 'forged-token'],
  ['invalid-credentials', 'expired-token'],
  ['forbidden-resource', 'token-without-scope'],
  ['missing-permissions', 'permission-withdrawn'],
  ['too-many-requests', 'quota-used-up'],
  ['validation-error', 'unknown-parameter'],
  ['internal-server-error', 'store-fails'],
];

/** Without GET: a body of GET is not read. */
const WITH_BODY: readonly Pair[] = [
  ['unsupported-media-type', 'text-body'],
  ['payload-too-large', 'large-body'],
];

const ON_A_VEHICLE: readonly Pair[] = [
  ['resource-not-found', 'unknown-id'],
  ['resource-not-found', 'vehicle-of-another-fleet'],
];

const ON_A_SUBSCRIPTION: readonly Pair[] = [
  ['resource-not-found', 'unknown-id'],
  ['resource-not-found', 'subscription-of-another-fleet'],
];

const ON_THE_WAY_TO_A_BOX: readonly Pair[] = [
  ['conflicting-resource', 'box-is-starting'],
  ['no-connection', 'no-coverage'],
  ['no-connection', 'box-is-silent'],
];

const SETUP: Pair = ['conflicting-setup-status', 'setup-is-not-over'];
const LACKS: Pair = ['command-not-supported', 'vehicle-lacks-it'];
const BUSY: Pair = ['conflicting-command', 'another-command-is-open'];
const BOX_ERROR: Pair = ['telematics-unit-error', 'box-fails'];
const MAKER: readonly Pair[] = [
  ['third-party-error', 'maker-fails'],
  ['no-connection', 'maker-is-silent'],
  ['no-connection', 'car-is-asleep'],
];
const STATUS: readonly Pair[] = [SETUP, LACKS, ...ON_THE_WAY_TO_A_BOX, BUSY, BOX_ERROR];
const VEHICLE: readonly Pair[] = [...STATUS, ...MAKER];

/** Further problems by the kind of operation. */
const BY_KIND: Readonly<Record<OperationKind, readonly Pair[]>> = {
  'system-status': STATUS,
  'box-reset': [...STATUS, ['shared-with-partner', 'shared-and-asked-by-the-owner']],
  workshop: [
    LACKS,
    ['incompatible-firmware-version', 'old-firmware'],
    ...ON_THE_WAY_TO_A_BOX,
    ['conflicting-resource', 'setup-is-not-over'],
    BUSY,
    BOX_ERROR,
  ],
  'network-detach': [
    SETUP,
    ['shared-with-partner', 'shared-and-asked-by-the-owner'],
    LACKS,
    ['resource-conflict', 'provider-cannot-detach'],
    ['conflicting-resource', 'box-is-starting'],
    ['internal-server-error', 'provider-fails'],
  ],
  sim: [
    SETUP,
    ['shared-with-partner', 'shared-and-asked-by-the-partner'],
    LACKS,
    ['conflicting-resource', 'box-is-starting'],
    ['internal-server-error', 'provider-fails'],
  ],
  'vehicle-command': VEHICLE,
  'vehicle-command-at-rest': [...VEHICLE, ['conflicting-state', 'vehicle-moves']],
  list: [],
  read: [],
  onboard: [
    ['resource-not-found', 'unknown-unit'],
    ['resource-not-found', 'unknown-to-its-maker'],
    ['conflicting-resource', 'unit-is-taken'],
    ['conflicting-resource', 'vin-is-taken'],
  ],
  change: [
    ['conflicting-resource', 'vin-is-taken'],
    ['resource-modified', 'stale-etag'],
  ],
  offboard: [
    ['conflicting-resource', 'shared-and-asked-by-the-owner'],
    ['resource-modified', 'stale-etag'],
  ],
  share: [['conflicting-resource', 'shared-with-a-third']],
  unshare: [['conflicting-resource', 'shared-with-nobody']],
  'read-configuration': [],
  configure: configuring(),
  deactivate: configuring(),
  bulk: [],
  'read-bulk': [
    ['resource-not-found', 'unknown-id'],
    ['resource-not-found', 'job-of-another-fleet'],
  ],
  'list-subscriptions': [],
  subscribe: [['conflicting-resource', 'discriminator-is-taken']],
  'read-subscription': ON_A_SUBSCRIPTION,
  'cancel-subscription': ON_A_SUBSCRIPTION,
};

function configuring(): readonly Pair[] {
  return [
    SETUP,
    ['shared-with-partner', 'shared-and-asked-by-the-partner'],
    ['command-not-supported', 'vehicle-has-no-box'],
    ...ON_THE_WAY_TO_A_BOX,
    ['conflicting-operation', 'another-command-is-open'],
    BOX_ERROR,
  ];
}

/** Problems of single features. */
const BY_FEATURE: Readonly<Record<(typeof FEATURES)[number], readonly Pair[]>> = {
  tracking: [],
  'damage-detection': [
    ['incompatible-telematics-unit-model', 'box-of-the-first-generation'],
    ['conflicting-operation', 'damage-detection-is-calibrating'],
  ],
  'smoke-detection': [['incompatible-telematics-unit-model', 'box-without-the-sensor']],
  'driving-events': [],
  'parking-events': [],
  'auto-immobilizer-control': [],
  'box-settings': [['incompatible-installation-variant', 'hardwired-box']],
};

/** Problems of single commands. */
const OBSTACLES: readonly (readonly [names: readonly string[], pair: Pair])[] = [
  [
    ['/lock-central-lock', '/lock-and-disable-driving'],
    ['conflicting-state', 'door-is-open'],
  ],
  [['/lock-top-case'], ['conflicting-state', 'lid-is-open']],
];

/** Every pair of operation and problem with its cause; a pair may have several causes. */
export const PROBLEM_TABLE: readonly ProblemRow[] = OPERATIONS.flatMap((operation) =>
  pairsOf(operation).map(([problem, cause]) => ({ operation, problem, cause })),
);

/** The problems of each operation, by the operation's name. */
export function declaredPairs(): ReadonlyMap<string, ReadonlySet<ProblemKind>> {
  const pairs = new Map<string, Set<ProblemKind>>();
  for (const { operation, problem } of PROBLEM_TABLE) {
    const name = operationName(operation);
    pairs.set(name, (pairs.get(name) ?? new Set()).add(problem));
  }
  return pairs;
}

function pairsOf(operation: Operation): readonly Pair[] {
  const { kind, method, path, feature } = operation;
  return [
    ...EVERYWHERE,
    ...(method === 'GET' ? [] : WITH_BODY),
    ...(path.includes('{id}') ? ON_A_VEHICLE : []),
    ...BY_KIND[kind],
    ...OBSTACLES.filter(([names]) => names.some((name) => path.endsWith(name))).map(([, pair]) => pair),
    ...(kind === 'configure' && feature !== undefined ? ofFeature(feature) : []),
  ];
}

function ofFeature(name: string): readonly Pair[] {
  const feature = FEATURES.find((one) => one === name);
  return feature === undefined ? [] : BY_FEATURE[feature];
}

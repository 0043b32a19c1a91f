import type { BulkResult, NewBulkJob } from '../../../../backend/store/port/bulk-store.ts';
import type { NewSubscription } from '../../../../backend/store/port/subscription-store.ts';
import { featuresOf } from './box-calls.ts';
import { BACKENDS, BOXES, CLIENTS, callOf, type Draw, type Drawer, FLEETS, USERS, VEHICLES } from './draw.ts';

const saveUser: Drawer = (draw) =>
  callOf('grants', 'saveUser', {
    id: draw.pick(USERS),
    fleetId: draw.pick(FLEETS),
    name: draw.pick(['Ada', 'Grace', 'Žofie']),
    passwordHash: 'hash',
    permissions: draw.some(['vehicles-read', 'commands']),
    createdMs: draw.nowMs,
  });

const openSession: Drawer = (draw) => {
  const user = draw.row('users');
  if (user === undefined) return undefined;
  return callOf('grants', 'openSession', {
    digest: draw.id('session'),
    userId: String(user['id']),
    signedInMs: draw.nowMs,
    expiresMs: draw.later(),
  });
};

const openGrant: Drawer = (draw) => {
  const user = draw.row('users');
  if (user === undefined) return undefined;
  return callOf(
    'grants',
    'openGrant',
    {
      id: draw.id('grant'),
      clientId: draw.pick(CLIENTS),
      userId: String(user['id']),
      scopes: ['openid'],
      redirectUri: 'https://example.com',
      codeChallenge: 'challenge',
      nonce: draw.once(2) ? undefined : 'nonce',
      signedInMs: draw.nowMs,
    },
    { digest: draw.id('code'), expiresMs: draw.later() },
    draw.nowMs,
  );
};

const exchangeSecret: Drawer = (draw) =>
  callOf(
    'grants',
    'exchangeSecret',
    {
      spent: draw.value('grant_secrets', 'digest'),
      next: { digest: draw.id('refresh'), expiresMs: draw.later() },
      answer: { text: 'answer', untilMs: draw.later() },
    },
    draw.nowMs,
  );

/** Calls that write clients, people and their grants. */
export const ACCESS_WRITES: readonly Drawer[] = [
  (draw) => callOf('access', 'saveFleet', { id: draw.pick(FLEETS), name: draw.pick(['one', 'two']) }),
  (draw) =>
    callOf('access', 'saveClient', {
      id: draw.pick(CLIENTS),
      fleetId: draw.pick(FLEETS),
      secretHash: draw.pick(['', 'hash']),
      permissions: draw.some(['vehicles-read', 'commands']),
      ...(draw.once(2) ? { redirectUris: ['https://example.com'] } : {}),
      createdMs: draw.nowMs,
    }),
  (draw) => (draw.once(3) ? callOf('access', 'deleteClient', draw.pick(CLIENTS)) : undefined),
  saveUser,
  saveUser,
  (draw) => callOf('grants', 'deleteUser', draw.pick(USERS)),
  openSession,
  (draw) => callOf('grants', 'endSession', draw.value('sessions', 'digest')),
  openGrant,
  openGrant,
  (draw) => callOf('grants', 'spendSecret', draw.value('grant_secrets', 'digest')),
  exchangeSecret,
  exchangeSecret,
  exchangeSecret,
  (draw) => callOf('grants', 'endGrant', draw.value('grants', 'id')),
];

/** Calls that read them. */
export const ACCESS_READS: readonly Drawer[] = [
  (draw) => callOf('access', 'findFleet', draw.pick(FLEETS)),
  (draw) => callOf('access', 'findClient', draw.pick(CLIENTS)),
  (draw) => callOf('grants', 'findUser', draw.pick(USERS)),
  (draw) => callOf('grants', 'findUserByName', draw.value('users', 'name')),
  (draw) => callOf('grants', 'findSession', draw.value('sessions', 'digest'), draw.nowMs),
  (draw) => callOf('grants', 'findGrant', draw.value('grants', 'id'), draw.nowMs),
  (draw) => callOf('grants', 'findSecret', draw.value('grant_secrets', 'digest')),
];

const createJob: Drawer = (draw) => {
  const job: NewBulkJob = {
    id: draw.id('job'),
    fleetId: draw.pick(FLEETS),
    flowId: 'flow',
    vehicleIds: draw.some(VEHICLES),
    features: featuresOf(draw),
    createdMs: draw.nowMs,
    expiresMs: draw.nowMs + draw.pick([60_000, 3_600_000, 100 * 3_600_000, 100 * 3_600_000]),
  };
  return callOf('bulk', 'create', job, { jobs: 3, vehicles: 8 });
};

function resultOf(draw: Draw): BulkResult | undefined {
  const item = draw.row('bulk_items', (row) => Number(row['attempts']) > 0);
  if (item === undefined) return undefined;
  const attempt = {
    jobId: String(item['job_id']),
    position: Number(item['position']),
    attempt: draw.number(item, 'attempts'),
  };
  const reason = { problem: 'no-connection', detail: 'silent' } as const;
  return draw.pick<BulkResult>([
    { ...attempt, outcome: 'applied' },
    { ...attempt, outcome: 'failed', reason },
    { ...attempt, outcome: 'postponed', dueMs: draw.later(), reason },
    { ...attempt, outcome: 'postponed', dueMs: draw.nowMs, reason },
  ]);
}

const finish: Drawer = (draw) => {
  const results = Array.from({ length: draw.whole(1, 2) }, () => resultOf(draw)).filter(
    (one) => one !== undefined,
  );
  return results.length === 0 ? undefined : callOf('bulk', 'finish', results, draw.nowMs);
};

/** It leaves out what others have locked. */
export const leaseItems: Drawer = (draw) =>
  callOf('bulk', 'lease', {
    nowMs: draw.nowMs,
    leaseMs: draw.pick([10_000, 60_000]),
    limit: draw.whole(1, 3),
    ...(draw.once(4) ? {} : { holder: draw.pick(BACKENDS) }),
    ...(draw.once(3)
      ? {
          underWay: draw
            .some(draw.rows('bulk_items'))
            .map((row) => ({ jobId: String(row['job_id']), position: Number(row['position']) })),
        }
      : {}),
  });

/** The same. */
export const pruneJobs: Drawer = (draw) =>
  callOf('bulk', 'prune', { createdBeforeMs: draw.nowMs - 24 * 3_600_000, limit: draw.whole(1, 2) });

/** Calls that write bulk jobs. */
export const BULK_WRITES: readonly Drawer[] = [
  createJob,
  createJob,
  finish,
  finish,
  finish,
  (draw) => callOf('bulk', 'release', draw.pick(BACKENDS), draw.nowMs),
  (draw) => callOf('bulk', 'makeDueNow', draw.some(BOXES), draw.nowMs),
  (draw) => (draw.once(2) ? callOf('bulk', 'makeConnectedDueNow', draw.nowMs) : undefined),
];

/** Calls that read them. */
export const BULK_READS: readonly Drawer[] = [
  (draw) => callOf('bulk', 'find', draw.value('bulk_jobs', 'id')),
  (draw) =>
    callOf('bulk', 'items', {
      jobId: draw.value('bulk_jobs', 'id'),
      afterPosition: draw.pick([-1, -1, 0]),
      limit: draw.whole(1, 3),
    }),
  () => callOf('bulk', 'nextDueMs'),
];

function subscriptionOf(draw: Draw): NewSubscription {
  const discriminator = draw.pick(['', 'demo']);
  const topics = draw.some(['VehicleState_v1', 'Trip_v1']);
  return {
    id: draw.id('subscription'),
    fleetId: draw.pick(FLEETS),
    discriminator,
    user: draw.once(3) ? undefined : { username: draw.id('name'), secretHash: 'hash' },
    queues: topics.map((topic) => ({ topic, name: `${topic}-${discriminator}` })),
    createdMs: draw.nowMs,
    dueMs: draw.later(),
  };
}

/** It leaves out what others have locked. */
export const takeOverdue: Drawer = (draw) =>
  callOf('subscriptions', 'takeOverdue', draw.nowMs, draw.later(), draw.whole(1, 2));

/** The id of a subscription in that state, if there is one. */
function inState(draw: Draw, state: 'making' | 'live'): string {
  const row = draw.row('subscriptions', (one) => one['state'] === state);
  return row === undefined ? draw.value('subscriptions', 'id') : String(row['id']);
}

const finishSubscription: Drawer = (draw) => callOf('subscriptions', 'finish', inState(draw, 'making'));

const endSubscription: Drawer = (draw) => callOf('subscriptions', 'end', inState(draw, 'live'), draw.later());

/** Calls that write subscriptions. */
export const SUBSCRIPTION_WRITES: readonly Drawer[] = [
  (draw) => callOf('subscriptions', 'begin', subscriptionOf(draw), { perFleet: 3 }),
  (draw) => callOf('subscriptions', 'begin', subscriptionOf(draw), { perFleet: 3 }),
  finishSubscription,
  finishSubscription,
  endSubscription,
  (draw) =>
    callOf('subscriptions', 'setUser', draw.value('subscriptions', 'id'), {
      username: draw.id('name'),
      secretHash: 'other',
    }),
  (draw) => callOf('subscriptions', 'remove', inState(draw, 'live')),
];

/** Calls of one statement that have another answer when they are carried out again. */
export const ONCE_WRITES: readonly Drawer[] = [
  finishSubscription,
  finishSubscription,
  endSubscription,
  (draw) => callOf('configuration', 'begin', draw.pick(BOXES), draw.nowMs),
  (draw) => callOf('grants', 'spendSecret', draw.value('grant_secrets', 'digest')),
  (draw) => callOf('installation', 'setKey', draw.id('key'), draw.value('installation', 'key_id')),
];

/** Calls that read them. */
export const SUBSCRIPTION_READS: readonly Drawer[] = [
  (draw) => callOf('subscriptions', 'look', subscriptionOf(draw), { perFleet: 3 }),
  (draw) => callOf('subscriptions', 'find', draw.value('subscriptions', 'id')),
  (draw) => callOf('subscriptions', 'ofFleet', draw.pick(FLEETS)),
  (draw) => callOf('subscriptions', 'ofFleet', draw.pick(FLEETS)),
  () => callOf('subscriptions', 'live'),
  () => callOf('subscriptions', 'live'),
  () => callOf('subscriptions', 'queueNames'),
  (draw) => callOf('subscriptions', 'userOf', draw.value('subscriptions', 'username')),
  (draw) => callOf('subscriptions', 'userOf', draw.value('subscriptions', 'username')),
  () => callOf('subscriptions', 'nextOverdueMs'),
];

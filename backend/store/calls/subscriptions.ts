import { sql } from 'kysely';
import type {
  BeginResult,
  NewSubscription,
  SubscribedQueue,
  Subscription,
  SubscriptionStore,
} from '../port/subscription-store.ts';
import { statement, type ValueOf } from '../statements/statement.ts';
import type { Tables } from '../statements/tables.ts';
import { all, type Calls, first, run, type Transaction } from '../statements/transaction.ts';

const LIVE = sql.lit('live');
const MAKING = sql.lit('making');
const ENDING = sql.lit('ending');

const findOthers = statement(({ query }, value: ValueOf<{ discriminator: string; fleetId: string }>) =>
  query
    .selectFrom('subscriptions')
    .select('id')
    .where('discriminator', '=', value('discriminator'))
    .where('fleet_id', '<>', value('fleetId'))
    .limit(sql.lit(1)),
);
const findTaken = statement(({ query, fixed }, value: ValueOf<{ name: string }>) =>
  query
    .selectFrom('subscription_queues')
    .innerJoin('subscriptions', 'subscriptions.id', 'subscription_queues.subscription_id')
    .select('state')
    .where('name', '=', fixed(value('name'))),
);
const countOfFleet = statement(({ query }, value: ValueOf<{ fleetId: string }>) =>
  query
    .selectFrom('subscriptions')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('fleet_id', '=', value('fleetId')),
);

const save = statement(
  (
    { query },
    value: ValueOf<{
      id: string;
      fleetId: string;
      discriminator: string;
      username: string | null;
      secretHash: string | null;
      dueMs: number;
      createdMs: number;
    }>,
  ) =>
    query.insertInto('subscriptions').values({
      id: value('id'),
      fleet_id: value('fleetId'),
      discriminator: value('discriminator'),
      username: value('username'),
      secret_hash: value('secretHash'),
      state: MAKING,
      due_ms: value('dueMs'),
      created_ms: value('createdMs'),
    }),
);
const saveQueue = statement(
  ({ query }, value: ValueOf<{ name: string; id: string; topic: string; ordinal: number }>) =>
    query.insertInto('subscription_queues').values({
      name: value('name'),
      subscription_id: value('id'),
      topic: value('topic'),
      ordinal: value('ordinal'),
    }),
);
const setUser = statement(
  ({ query }, value: ValueOf<{ id: string; username: string | null; secretHash: string | null }>) =>
    query
      .updateTable('subscriptions')
      .set({ username: value('username'), secret_hash: value('secretHash') })
      .where('id', '=', value('id')),
);
const finish = statement(({ query }, value: ValueOf<{ id: string }>) =>
  query
    .updateTable('subscriptions')
    .set({ state: LIVE })
    .where('id', '=', value('id'))
    .where('state', '=', MAKING),
);
const end = statement(({ query, texts }, value: ValueOf<{ ids: readonly string[]; dueMs: number }>, list) =>
  query
    .updateTable('subscriptions')
    .set({ state: ENDING, due_ms: value('dueMs') })
    .where('id', 'in', texts(list('ids'))),
);
const remove = statement(({ query }, value: ValueOf<{ id: string }>) =>
  query.deleteFrom('subscriptions').where('id', '=', value('id')),
);

const findOverdue = statement(
  ({ query, most, unlockedOnly }, value: ValueOf<{ atMs: number; count: number }>) =>
    query
      .selectFrom('subscriptions')
      .selectAll()
      .where('state', '<>', LIVE)
      .where('due_ms', '<=', value('atMs'))
      .orderBy('due_ms')
      .orderBy('id')
      .limit(most(value('count')))
      .modifyEnd(unlockedOnly),
);
const nextOverdue = statement(({ query }) =>
  query
    .selectFrom('subscriptions')
    .select('due_ms')
    .where('state', '<>', LIVE)
    .orderBy('due_ms')
    .limit(sql.lit(1)),
);
const find = statement(({ query }, value: ValueOf<{ id: string }>) =>
  query.selectFrom('subscriptions').selectAll().where('id', '=', value('id')).where('state', '=', LIVE),
);
const ofFleet = statement(({ query }, value: ValueOf<{ fleetId: string }>) =>
  query
    .selectFrom('subscriptions')
    .selectAll()
    .where('fleet_id', '=', value('fleetId'))
    .where('state', '=', LIVE)
    .orderBy('id'),
);
const live = statement(({ query }) =>
  query.selectFrom('subscriptions').selectAll().where('state', '=', LIVE).orderBy('id'),
);
const queueNames = statement(({ query }) =>
  query
    .selectFrom('subscription_queues')
    .innerJoin('subscriptions', 'subscriptions.id', 'subscription_queues.subscription_id')
    .select('name')
    .where('state', '<>', ENDING)
    .orderBy('name'),
);
const findUser = statement(({ query }, value: ValueOf<{ username: string }>) =>
  query
    .selectFrom('subscriptions')
    .select(['id', 'secret_hash'])
    .where('username', '=', value('username'))
    .where('state', '<>', ENDING),
);
const queuesOf = statement(({ query, texts }, _value: ValueOf<{ ids: readonly string[] }>, list) =>
  query
    .selectFrom('subscription_queues')
    .select(['subscription_id', 'topic', 'name'])
    .where('subscription_id', 'in', texts(list('ids')))
    .orderBy('subscription_id')
    .orderBy('ordinal'),
);

/** Subscriptions to messages. */
export function subscriptionCalls(): Calls<SubscriptionStore> {
  return {
    *begin(subscription, { perFleet }) {
      const verdict = yield* look(subscription, perFleet);
      if (verdict.kind !== 'begun') return verdict;
      const { id, fleetId, discriminator, user, queues, createdMs, dueMs } = subscription;
      const { username = null, secretHash = null } = user ?? {};
      yield* run(save, { id, fleetId, discriminator, username, secretHash, dueMs, createdMs });
      for (const [ordinal, { name, topic }] of queues.entries()) {
        yield* run(saveQueue, { name, id, topic, ordinal });
      }
      return verdict;
    },
    look: (subscription, { perFleet }) => look(subscription, perFleet),
    *setUser(id, user) {
      yield* run(setUser, { id, username: user?.username ?? null, secretHash: user?.secretHash ?? null });
    },
    *finish(id) {
      return (yield* run(finish, { id })) === 1;
    },
    *end(id, dueMs) {
      return (yield* run(end, { ids: [id], dueMs })) === 1;
    },
    *remove(id) {
      yield* run(remove, { id });
    },
    *takeOverdue(atMs, nextDueMs, count) {
      const rows = yield* all(findOverdue, { atMs, count });
      if (rows.length > 0) yield* run(end, { ids: rows.map(({ id }) => id), dueMs: nextDueMs });
      return yield* withQueues(rows);
    },
    *nextOverdueMs() {
      return (yield* first(nextOverdue, {}))?.due_ms;
    },
    *find(id) {
      return (yield* withQueues(yield* all(find, { id })))[0];
    },
    *ofFleet(fleetId) {
      return yield* withQueues(yield* all(ofFleet, { fleetId }));
    },
    *live() {
      return yield* withQueues(yield* all(live, {}));
    },
    *queueNames() {
      return (yield* all(queueNames, {})).map(({ name }) => name);
    },
    *userOf(username) {
      const row = yield* first(findUser, { username });
      if (row === undefined || row.secret_hash === null) return undefined;
      const queues = yield* all(queuesOf, { ids: [row.id] });
      return { secretHash: row.secret_hash, queues: queues.map(({ name }) => name) };
    },
  };
}

function* look(
  { fleetId, discriminator, queues }: NewSubscription,
  perFleet: number,
): Transaction<BeginResult> {
  if ((yield* first(findOthers, { discriminator, fleetId })) !== undefined) return { kind: 'others' };
  for (const { name } of queues) {
    const taken = yield* first(findTaken, { name });
    if (taken !== undefined) return { kind: 'own', queue: name, isEnding: taken.state === 'ending' };
  }
  if (((yield* first(countOfFleet, { fleetId }))?.count ?? 0) >= perFleet) return { kind: 'full' };
  return { kind: 'begun' };
}

/** These rows as subscriptions, in their order. The queues of all are found together. */
function* withQueues(rows: readonly Tables['subscriptions'][]): Transaction<readonly Subscription[]> {
  if (rows.length === 0) return [];
  const queues = yield* all(queuesOf, { ids: rows.map(({ id }) => id) });
  const byId = Map.groupBy(queues, ({ subscription_id: id }) => id);
  return rows.map((row) => toSubscription(row, byId.get(row.id) ?? []));
}

function toSubscription(row: Tables['subscriptions'], queues: readonly SubscribedQueue[]): Subscription {
  const { username, secret_hash: secretHash } = row;
  return {
    id: row.id,
    fleetId: row.fleet_id,
    discriminator: row.discriminator,
    user: username === null || secretHash === null ? undefined : { username, secretHash },
    queues: queues.map(({ topic, name }) => ({ topic, name })),
    createdMs: row.created_ms,
  };
}

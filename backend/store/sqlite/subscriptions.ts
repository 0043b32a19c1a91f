import type { Database } from 'better-sqlite3';
import type {
  BeginResult,
  NewSubscription,
  SubscribedQueue,
  Subscription,
  SubscriptionStore,
} from '../port/subscription-store.ts';
import type { Synchronous } from './call.ts';

interface Row {
  readonly id: string;
  readonly fleet_id: string;
  readonly discriminator: string;
  readonly username: string | null;
  readonly secret_hash: string | null;
  readonly created_ms: number;
}

interface TakenRow {
  readonly name: string;
  readonly state: 'making' | 'live' | 'ending';
}

/** Subscriptions in SQLite. */
export function sqliteSubscriptions(database: Database): Synchronous<SubscriptionStore> {
  const findOthers = database.prepare<[string, string]>(
    'SELECT 1 FROM subscriptions WHERE discriminator = ? AND fleet_id <> ? LIMIT 1',
  );
  const findTaken = database.prepare<[string], TakenRow>(`
    SELECT name, state FROM subscription_queues JOIN subscriptions ON id = subscription_id WHERE name = (SELECT ?)`);
  const countOfFleet = database.prepare<[string], { readonly count: number }>(
    'SELECT count(*) AS count FROM subscriptions WHERE fleet_id = ?',
  );
  const save = database.prepare(`
    INSERT INTO subscriptions (id, fleet_id, discriminator, username, secret_hash, state, due_ms, created_ms)
    VALUES (?, ?, ?, ?, ?, 'making', ?, ?)`);
  const saveQueue = database.prepare(
    'INSERT INTO subscription_queues (name, subscription_id, topic, ordinal) VALUES (?, ?, ?, ?)',
  );
  const finish = database.prepare(
    `UPDATE subscriptions SET state = 'live' WHERE id = ? AND state = 'making'`,
  );
  const end = database.prepare(`UPDATE subscriptions SET state = 'ending', due_ms = ? WHERE id = ?`);
  const setUser = database.prepare('UPDATE subscriptions SET username = ?, secret_hash = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM subscriptions WHERE id = ?');
  const findOverdue = database.prepare<[number, number], Row>(
    `SELECT * FROM subscriptions WHERE state <> 'live' AND due_ms <= ? ORDER BY due_ms, id LIMIT ? + 0`,
  );
  const nextOverdue = database.prepare<[], { readonly due_ms: number }>(
    `SELECT due_ms FROM subscriptions WHERE state <> 'live' ORDER BY due_ms LIMIT 1`,
  );
  const find = database.prepare<[string], Row>(`SELECT * FROM subscriptions WHERE id = ? AND state = 'live'`);
  const ofFleet = database.prepare<[string], Row>(
    `SELECT * FROM subscriptions WHERE fleet_id = ? AND state = 'live' ORDER BY id`,
  );
  const live = database.prepare<[], Row>(`SELECT * FROM subscriptions WHERE state = 'live' ORDER BY id`);
  const findUser = database.prepare<[string], Row>(
    `SELECT * FROM subscriptions WHERE username = ? AND state <> 'ending'`,
  );
  const queuesOf = database.prepare<[string], SubscribedQueue>(
    'SELECT topic, name FROM subscription_queues WHERE subscription_id = ? ORDER BY ordinal',
  );

  function toSubscription(row: Row): Subscription {
    return {
      id: row.id,
      fleetId: row.fleet_id,
      discriminator: row.discriminator,
      user:
        row.username === null || row.secret_hash === null
          ? undefined
          : { username: row.username, secretHash: row.secret_hash },
      queues: queuesOf.all(row.id),
      createdMs: row.created_ms,
    };
  }

  function look({ fleetId, discriminator, queues }: NewSubscription, perFleet: number): BeginResult {
    if (findOthers.get(discriminator, fleetId) !== undefined) return { kind: 'others' };
    for (const { name } of queues) {
      const taken = findTaken.get(name);
      if (taken !== undefined) return { kind: 'own', queue: name, isEnding: taken.state === 'ending' };
    }
    if ((countOfFleet.get(fleetId)?.count ?? 0) >= perFleet) return { kind: 'full' };
    return { kind: 'begun' };
  }

  const begin = database.transaction((subscription: NewSubscription, perFleet: number): BeginResult => {
    const verdict = look(subscription, perFleet);
    if (verdict.kind !== 'begun') return verdict;
    const { id, fleetId, discriminator, user, queues, createdMs, dueMs } = subscription;
    const { username = null, secretHash = null } = user ?? {};
    save.run(id, fleetId, discriminator, username, secretHash, dueMs, createdMs);
    for (const [ordinal, { name, topic }] of queues.entries()) saveQueue.run(name, id, topic, ordinal);
    return verdict;
  });
  const takeOverdue = database.transaction(
    (atMs: number, nextDueMs: number, count: number): readonly Subscription[] => {
      const rows = findOverdue.all(atMs, count);
      for (const { id } of rows) end.run(nextDueMs, id);
      return rows.map(toSubscription);
    },
  );

  return {
    begin: (subscription, { perFleet }) => begin.immediate(subscription, perFleet),
    look: (subscription, { perFleet }) => look(subscription, perFleet),
    setUser: (id, user) => void setUser.run(user?.username ?? null, user?.secretHash ?? null, id),
    finish: (id) => finish.run(id).changes === 1,
    end: (id, dueMs) => end.run(dueMs, id).changes === 1,
    remove: (id) => void remove.run(id),
    takeOverdue: (atMs, nextDueMs, count) => takeOverdue.immediate(atMs, nextDueMs, count),
    nextOverdueMs: () => nextOverdue.get()?.due_ms,
    find: (id) => {
      const row = find.get(id);
      return row === undefined ? undefined : toSubscription(row);
    },
    ofFleet: (fleetId) => ofFleet.all(fleetId).map(toSubscription),
    live: () => live.all().map(toSubscription),
    userOf: (username) => {
      const row = findUser.get(username);
      if (row === undefined || row.secret_hash === null) return undefined;
      return { secretHash: row.secret_hash, queues: queuesOf.all(row.id).map(({ name }) => name) };
    },
  };
}

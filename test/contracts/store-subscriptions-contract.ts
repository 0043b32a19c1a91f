import { describe, expect, test } from 'vitest';
import type { NewSubscription } from '../../backend/store/port/subscription-store.ts';
import { START_MS, type TestStore } from '../support/store/store-rows.ts';

const BOUNDS = { perFleet: 3 };

/** A subscription of FLEET1 to vehicle states, with a queue for each topic. */
function wish(
  id: string,
  change: Partial<NewSubscription> = {},
  topics = ['VehicleState_v1'],
): NewSubscription {
  const discriminator = change.discriminator ?? 'alpha';
  return {
    id,
    fleetId: 'FLEET1',
    discriminator,
    user: { username: `user-${id}`, secretHash: `hash-${id}` },
    queues: topics.map((topic) => ({ topic, name: `${topic}-${discriminator}` })),
    createdMs: START_MS,
    dueMs: START_MS + 60_000,
    ...change,
  };
}

/** The behaviour of a store for subscriptions to messages. */
export function subscriptionsContract(stage: TestStore): void {
  describe('subscriptions', () => {
    const store = () => stage.store.subscriptions;
    const begin = (subscription: NewSubscription) => store().begin(subscription, BOUNDS);
    const live = async (subscription: NewSubscription) => {
      expect(await begin(subscription)).toEqual({ kind: 'begun' });
      expect(await store().finish(subscription.id)).toBe(true);
    };
    const shown = ({ dueMs: _dueMs, ...rest }: NewSubscription) => rest;

    test('a new subscription is not listed until it is finished', async () => {
      const one = wish('1', {}, ['VehicleState_v1', 'DamageDetected_v1']);
      expect(await begin(one)).toEqual({ kind: 'begun' });
      expect(await store().find('1')).toBeUndefined();
      expect(await store().ofFleet('FLEET1')).toEqual([]);
      expect(await store().live()).toEqual([]);
      expect(await store().finish('1')).toBe(true);
      expect(await store().find('1')).toEqual(shown(one));
      expect(await store().ofFleet('FLEET1')).toEqual([shown(one)]);
      expect(await store().ofFleet('FLEET2')).toEqual([]);
      expect(await store().live()).toEqual([shown(one)]);
      await stage.crash();
      expect(await store().find('1')).toEqual(shown(one));
    });

    test('the next overdue subscription is returned, of those that are not live', async () => {
      expect(await store().nextOverdueMs()).toBeUndefined();
      await begin(wish('1'));
      await begin(wish('2', { discriminator: 'beta', dueMs: START_MS + 50_000 }));
      expect(await store().nextOverdueMs()).toBe(START_MS + 50_000);
      await store().finish('2');
      expect(await store().nextOverdueMs()).toBe(START_MS + 60_000);
      await store().finish('1');
      expect(await store().nextOverdueMs()).toBeUndefined();
      await store().end('1', START_MS + 5);
      expect(await store().nextOverdueMs()).toBe(START_MS + 5);
    });

    test('the names of its queues are told from its beginning until it ends', async () => {
      expect(await store().queueNames()).toEqual([]);
      await begin(wish('1', {}, ['VehicleState_v1', 'DamageDetected_v1']));
      const names = ['DamageDetected_v1-alpha', 'VehicleState_v1-alpha'];
      expect(await store().queueNames()).toEqual(names);
      await store().finish('1');
      expect(await store().queueNames()).toEqual(names);
      await store().end('1', START_MS);
      expect(await store().queueNames()).toEqual([]);
    });

    test('its user may read its queues while it is created and live, not while it ends', async () => {
      await begin(wish('1', {}, ['VehicleState_v1', 'DamageDetected_v1']));
      const user = { secretHash: 'hash-1', queues: ['VehicleState_v1-alpha', 'DamageDetected_v1-alpha'] };
      expect(await store().userOf('user-1')).toEqual(user);
      await store().finish('1');
      expect(await store().userOf('user-1')).toEqual(user);
      expect(await store().userOf('user-2')).toBeUndefined();
      await store().end('1', START_MS);
      expect(await store().userOf('user-1')).toBeUndefined();
    });

    test('a subscription with the shared account has no user', async () => {
      const one = wish('1', { user: undefined });
      await live(one);
      await live(wish('2', { user: undefined, discriminator: 'beta' }));
      expect(await store().find('1')).toEqual(shown(one));
    });

    test('a discriminator is unique for all fleets, from its creation until it is removed', async () => {
      await begin(wish('1'));
      const theirs = wish('2', { fleetId: 'FLEET2' }, ['DamageDetected_v1']);
      expect(await begin(theirs)).toEqual({ kind: 'others' });
      await store().finish('1');
      await store().end('1', START_MS);
      expect(await begin(theirs)).toEqual({ kind: 'others' });
      await store().remove('1');
      expect(await begin(theirs)).toEqual({ kind: 'begun' });
    });

    test('its own fleet may reuse a discriminator, for other topics', async () => {
      await live(wish('1'));
      const again = wish('2', {}, ['DamageDetected_v1', 'VehicleState_v1']);
      const own = { kind: 'own', queue: 'VehicleState_v1-alpha' };
      expect(await begin(again)).toEqual({ ...own, isEnding: false });
      await live(wish('3', {}, ['DamageDetected_v1']));
      await store().end('1', START_MS);
      expect(await begin(wish('4'))).toEqual({ ...own, isEnding: true });
      await store().remove('1');
      expect(await begin(wish('4'))).toEqual({ kind: 'begun' });
    });

    test('a fleet has no more subscriptions than the limit', async () => {
      for (const id of ['1', '2', '3'])
        expect((await begin(wish(id, { discriminator: id }))).kind).toBe('begun');
      expect(await begin(wish('4'))).toEqual({ kind: 'full' });
      expect(await begin(wish('5', { fleetId: 'FLEET2' }))).toEqual({ kind: 'begun' });
      await store().remove('1');
      expect(await begin(wish('4', { discriminator: 'beta' }))).toEqual({ kind: 'begun' });
    });

    test('an unfinished subscription that is overdue is taken by one process, and due again if that one fails', async () => {
      await begin(wish('1'));
      await live(wish('2', { discriminator: 'beta' }));
      expect(await store().takeOverdue(START_MS + 59_999, START_MS + 120_000, 10)).toEqual([]);
      const taken = await store().takeOverdue(START_MS + 60_000, START_MS + 120_000, 10);
      expect(taken.map(({ id }) => id)).toEqual(['1']);
      expect(await store().takeOverdue(START_MS + 60_000, START_MS + 120_000, 10)).toEqual([]);
      expect(await store().finish('1')).toBe(false);
      expect(
        (await store().takeOverdue(START_MS + 120_000, START_MS + 180_000, 10)).map(({ id }) => id),
      ).toEqual(['1']);
      await store().remove('1');
      expect(await store().takeOverdue(START_MS + 999_999, START_MS + 999_999, 10)).toEqual([]);
    });

    test('of several who take overdue ones at once, each gets others', async () => {
      const ids = ['1', '2', '3', '4'];
      for (const id of ids) await begin(wish(id, { fleetId: `FLEET${id}`, discriminator: id }));
      const taken = await Promise.all(
        ids.map(() => store().takeOverdue(START_MS + 60_000, START_MS + 120_000, 1)),
      );
      const rest = await store().takeOverdue(START_MS + 60_000, START_MS + 120_000, 10);
      expect(
        [...taken.flat(), ...rest].map(({ id }) => Number(id)).sort((one, other) => one - other),
      ).toEqual([1, 2, 3, 4]);
    });

    test('of several fleets that begin with the same discriminator at once, one has it', async () => {
      const begun = await Promise.all(
        ['1', '2', '3'].map((id) => begin(wish(id, { fleetId: `FLEET${id}` }, [`Topic${id}_v1`]))),
      );
      expect(begun.filter(({ kind }) => kind === 'begun')).toHaveLength(1);
      expect(begun.filter(({ kind }) => kind === 'others')).toHaveLength(2);
    });

    test('a fleet that begins more at once than it may have gets as many as it may', async () => {
      const begun = await Promise.all(
        ['1', '2', '3', '4', '5'].map((id) => begin(wish(id, { discriminator: id }))),
      );
      expect(begun.filter(({ kind }) => kind === 'begun')).toHaveLength(BOUNDS.perFleet);
      expect(begun.filter(({ kind }) => kind === 'full')).toHaveLength(2);
    });

    test('ending subscriptions become due at their time, a few at a time', async () => {
      await live(wish('1', { discriminator: 'a' }));
      await live(wish('2', { discriminator: 'b' }));
      expect(await store().end('1', START_MS + 2)).toBe(true);
      expect(await store().end('2', START_MS + 1)).toBe(true);
      expect(await store().end('3', START_MS)).toBe(false);
      expect((await store().takeOverdue(START_MS + 5, START_MS + 9, 1)).map(({ id }) => id)).toEqual(['2']);
      expect((await store().takeOverdue(START_MS + 5, START_MS + 9, 1)).map(({ id }) => id)).toEqual(['1']);
      expect(await store().find('1')).toBeUndefined();
    });
  });
}

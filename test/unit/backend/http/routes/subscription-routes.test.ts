import { beforeEach, describe, expect, test } from 'vitest';
import { subscriptionLimits } from '../../../../../backend/base/limits.ts';
import { sharedAccounts } from '../../../../../backend/events/accounts.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import {
  jsonObjectOf,
  openTestService,
  type TestService,
  type TestServiceOptions,
} from '../../../../support/http/test-service.ts';

const PATH = '/message-subscriptions';
const WISH = { queue_discriminator: 'depot.1', topics: ['VehicleState_v1', 'DamageDetected_v1'] };
const NAMES = ['VehicleState_v1-depot.1', 'DamageDetected_v1-depot.1'];

describe('message subscriptions', () => {
  let stage: TestService;
  let token: string;
  beforeEach(() => open());

  async function open(options: TestServiceOptions = {}): Promise<void> {
    stage = await openTestService(options);
    token = await stage.token(['message-subscriptions']);
  }
  const ask = (method: string, path = PATH, body?: unknown, by = token) =>
    stage.ask(method, path, {
      token: by,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const subscribe = async (change: object = {}, by = token) => {
    const answer = await ask('POST', PATH, { ...WISH, ...change }, by);
    return { status: answer.status, headers: answer.headers, body: await jsonObjectOf(answer) };
  };
  const problemOf = async (answer: Response) => {
    const { type, detail } = await jsonObjectOf(answer);
    return { status: answer.status, type, detail };
  };
  /** So long that whatever is due at the broker has been tried again. */
  const passSweeps = () => {
    const sweeps = Promise.withResolvers<void>();
    stage.world.time.alarm(stage.loop.nowMs + 2 * subscriptionLimits.endingMs, sweeps.resolve);
    return stage.loop.runWhile(sweeps.promise);
  };

  test('a subscription has a queue for each topic, and a user that can read only these', async () => {
    const { status, headers, body } = await subscribe();
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      queue_discriminator: 'depot.1',
      topics: WISH.topics,
      created_at: expect.stringMatching(/Z$/),
      host: 'queues.test',
      port: 5671,
      virtual_host: '/',
      username: expect.any(String),
      password: expect.any(String),
      queues: WISH.topics.map((topic, index) => ({ topic, name: NAMES[index] })),
    });
    expect(headers.get('location')).toBe(`http://service.test${PATH}/${String(body['id'])}`);
    expect(stage.queues.broker.queueNames).toEqual(NAMES);
    const username = String(body['username']);
    expect([...stage.queues.users.values()]).toEqual([
      { username, password: body['password'], queues: NAMES },
    ]);
    const kept = await stage.store.subscriptions.userOf(username);
    expect(kept?.queues).toEqual(NAMES);
    expect(await stage.crypto.verifySecret(String(body['password']), kept?.secretHash ?? '')).toBe(true);
  });

  test('it can be read and listed without its password; other fleets cannot see it', async () => {
    const { body } = await subscribe();
    const { password: _password, ...shown } = body;
    const path = `${PATH}/${String(body['id'])}`;
    expect(await jsonObjectOf(await ask('GET', path))).toEqual(shown);
    expect(await jsonObjectOf(await ask('GET'))).toEqual({ items: [shown] });
    const theirs = await stage.token(['message-subscriptions'], 'FLEET2');
    expect(await jsonObjectOf(await ask('GET', PATH, undefined, theirs))).toEqual({ items: [] });
    for (const method of ['GET', 'DELETE']) {
      const refused = await problemOf(await ask(method, path, undefined, theirs));
      expect(refused).toMatchObject({ status: 404, type: '/problems/resource-not-found' });
    }
    expect((await ask('GET', path)).status).toBe(200);
  });

  test('deleting it removes its queues and its user and frees its names', async () => {
    const { body } = await subscribe();
    const path = `${PATH}/${String(body['id'])}`;
    expect((await ask('DELETE', path)).status).toBe(204);
    expect(stage.queues.broker.queueNames).toEqual([]);
    expect(stage.queues.users.size).toBe(0);
    expect((await ask('GET', path)).status).toBe(404);
    expect((await ask('DELETE', path)).status).toBe(404);
    const theirs = await stage.token(['message-subscriptions'], 'FLEET2');
    expect((await subscribe({}, theirs)).status).toBe(201);
  });

  test('a discriminator of another fleet is taken, whatever the topic', async () => {
    await subscribe();
    const theirs = await stage.token(['message-subscriptions'], 'FLEET2');
    const { status, body } = await subscribe({ topics: ['SmokeDetected_v1'] }, theirs);
    expect({ status, ...body }).toMatchObject({
      status: 409,
      type: '/problems/conflicting-resource',
      detail: "queue_discriminator: 'depot.1' is taken by another fleet. Choose another one.",
    });
  });

  test('a discriminator can be used again by its fleet for other topics, not for the same', async () => {
    await subscribe();
    const again = await subscribe({ topics: ['SmokeDetected_v1', 'DamageDetected_v1'] });
    expect(again.status).toBe(409);
    expect(again.body['detail']).toContain(
      'The queue DamageDetected_v1-depot.1 belongs to another subscription',
    );
    expect((await subscribe({ topics: ['SmokeDetected_v1'] })).status).toBe(201);
  });

  test('a fleet has no more of them than the limit', async () => {
    for (let count = 0; count < LIMITS.subscription.perFleet; count += 1)
      expect((await subscribe({ queue_discriminator: `d${count}` })).status).toBe(201);
    const { status, body } = await subscribe({ queue_discriminator: 'more' });
    expect(status).toBe(409);
    expect(body['detail']).toContain(`The fleet has ${LIMITS.subscription.perFleet} subscriptions`);
  });

  test.each([
    [{ queue_discriminator: '' }, /^queue_discriminator: must have 1 to 64 characters/],
    [{ queue_discriminator: 'a'.repeat(65) }, /^queue_discriminator: must have 1 to 64 characters/],
    [{ queue_discriminator: 'a b' }, /^queue_discriminator: must have/],
    [{ queue_discriminator: 'a\n' }, /^queue_discriminator: must have/],
    [{ queue_discriminator: 7 }, /^queue_discriminator: must be a string/],
    [{ queue_discriminator: undefined }, /^queue_discriminator: must be given/],
    [{ topics: [] }, /^topics: must have at least 1 entry/],
    [{ topics: ['VehicleState_v1', 'VehicleState_v1'] }, /^topics: must name each topic once/],
    [{ topics: ['VehicleState_v2'] }, /^topics\.0: must be one of VehicleState_v1, /],
    [{ topics: 'VehicleState_v1' }, /^topics: must be a list/],
    [{ colour: 'green' }, /'colour': there is no such property/],
  ])('a body with %j is refused with the rule, and nothing is made', async (change, detail) => {
    const { status, body } = await subscribe(change);
    expect(status).toBe(400);
    expect(body['detail']).toMatch(detail);
    expect(stage.queues.broker.queueNames).toEqual([]);
  });

  test('a discriminator of 64 characters with all allowed characters is valid', async () => {
    const { status } = await subscribe({ queue_discriminator: 'Az09._-'.padEnd(64, 'x') });
    expect(status).toBe(201);
  });

  test('a queue at the broker without a subscription is kept, and named', async () => {
    stage.queues.broker.declareQueue('DamageDetected_v1-depot.1', { messageTtlMs: 5 });
    const { status, body } = await subscribe();
    expect(status).toBe(409);
    expect(body['detail']).toMatch(/queue DamageDetected_v1-depot\.1 already.*Delete that queue/);
    expect(stage.queues.broker.queueNames).toEqual(['DamageDetected_v1-depot.1']);
    expect(stage.queues.users.size).toBe(0);
    stage.queues.broker.deleteQueue('DamageDetected_v1-depot.1');
    expect((await subscribe()).status).toBe(201);
  });

  test('a broker that is down is a 500 that says so; nothing is written, and it works when it is up again', async () => {
    stage.queues.isAway = true;
    const { status, body } = await subscribe();
    expect(status).toBe(500);
    expect(body).toMatchObject({ type: '/problems/internal-server-error' });
    expect(body['detail']).toContain('The message broker could not be reached');
    expect(stage.complaints.map(({ message }) => message)).toContain('a request was answered with 500');
    stage.queues.isAway = false;
    expect((await subscribe()).status).toBe(201);
  });

  test('an unfinished subscription is removed again as soon as possible', async () => {
    stage.queues.areAccountsAway = true;
    expect((await subscribe()).status).toBe(500);
    expect(stage.queues.broker.queueNames).toEqual([]);
    const again = await subscribe();
    expect(again.status).toBe(409);
    expect(again.body['detail']).toContain('is being deleted. Try again in a while.');
    stage.queues.areAccountsAway = false;
    await passSweeps();
    expect((await subscribe()).status).toBe(201);
    expect(stage.queues.users.size).toBe(1);
  });

  test('deleting while the broker is down is a 500, and is completed when it is up again', async () => {
    const { body } = await subscribe();
    const path = `${PATH}/${String(body['id'])}`;
    stage.queues.isAway = true;
    const refused = await problemOf(await ask('DELETE', path));
    expect(refused.status).toBe(500);
    expect(refused.detail).toContain('The service keeps trying');
    expect(stage.queues.users.size).toBe(0);
    expect(await stage.store.subscriptions.userOf(String(body['username']))).toBeUndefined();
    expect((await ask('GET', path)).status).toBe(404);
    stage.queues.isAway = false;
    await passSweeps();
    expect(stage.queues.broker.queueNames).toEqual([]);
  });

  test('without an account administration it is refused, with the options to set', async () => {
    await open({ accounts: 'none' });
    const { status, body } = await subscribe();
    expect(status).toBe(409);
    expect(body['detail']).toMatch(/--amqp-admin.*--amqp-consumer/);
    expect(await jsonObjectOf(await ask('GET'))).toEqual({ items: [] });
  });

  test('an account shared by all consumers is returned, and not created', async () => {
    const account = { username: 'reader', password: 'of all' };
    await open({ accounts: sharedAccounts({ host: 'rabbit', port: 5672, virtualHost: 'v' }, account) });
    const { status, body } = await subscribe();
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...account, host: 'rabbit', virtual_host: 'v' });
    expect(stage.queues.broker.queueNames).toEqual(NAMES);
    const shown = await jsonObjectOf(await ask('GET', `${PATH}/${String(body['id'])}`));
    expect(shown).toMatchObject({ username: 'reader' });
    expect(shown).not.toHaveProperty('password');
    expect((await ask('DELETE', `${PATH}/${String(body['id'])}`)).status).toBe(204);
    expect(stage.queues.broker.queueNames).toEqual([]);
  });

  test('of two concurrent requests for the same queue one succeeds', async () => {
    const one = () =>
      stage.app.request(PATH, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(WISH),
      });
    const answers = await stage.loop.runWhile(Promise.all([one(), one()]));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409]);
    expect(stage.queues.users.size).toBe(1);
    expect(stage.queues.broker.queueNames).toEqual(NAMES);
  });
});

import { randomUUID } from 'node:crypto';
import { type ChannelModel, connect } from 'amqplib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AccountsUnreachable, type QueueAccounts, type QueueAddress } from '../../backend/events/accounts.ts';
import { rabbitAccounts } from '../../backend/events/rabbit-accounts.ts';
import { realHttp } from '../../world/http/real-http.ts';
import { freePort } from '../support/run/free-port.ts';

const WEEK_MS = 7 * 24 * 3_600_000;

/** A broker, and the management interface that `rabbitAccounts` calls. */
export interface ManagedBrokerFixture {
  /** With the account of an administrator. */
  readonly url: string;
  readonly adminUrl: string;
  close(): Promise<void>;
}

/** Users for queues, made through a management interface: what they may do, and that nothing else is possible. */
export function rabbitAccountsContract(name: string, open: () => Promise<ManagedBrokerFixture>): void {
  describe(`${name}: users for queues`, () => {
    let fixture: ManagedBrokerFixture;
    let url: string;
    let adminUrl: string;
    let address: QueueAddress;
    let accounts: QueueAccounts;
    const suffix = randomUUID();
    // Characters with a meaning in an expression: `a.b` must not allow `aXb`.
    const own = [`boxtwin.test-a.${suffix}`, `boxtwin.test-b.${suffix}`];
    const others = [`boxtwinXtest-a.${suffix}`, `boxtwin.test-a.${suffix}-more`, `x${own[0]}`];
    const username = `boxtwin-test-${suffix}`;
    const password = 'of the user: /?#';
    let admin: ChannelModel;
    const opened: ChannelModel[] = [];

    beforeAll(async () => {
      fixture = await open();
      ({ url, adminUrl } = fixture);
      const { hostname: host, port } = new URL(url);
      address = { host, port: Number(port || 5672), virtualHost: '/' };
      accounts = rabbitAccounts({ http: realHttp() }, { address, adminUrl });
      admin = await connect(url);
      const channel = await admin.createChannel();
      for (const name of [...own, ...others])
        await channel.assertQueue(name, { durable: true, messageTtl: WEEK_MS });
    });
    afterEach(async () => {
      for (const connection of opened.splice(0)) await connection.close().catch(() => undefined);
    });
    afterAll(async () => {
      await accounts.revoke(username);
      const channel = await admin.createChannel();
      for (const name of [...own, ...others]) await channel.deleteQueue(name);
      await admin.close();
      await fixture.close();
    });

    const grant = (queues = own) => accounts.grant({ username, password, queues });
    async function signIn(secret = password): Promise<ChannelModel> {
      const at = new URL(url);
      at.username = encodeURIComponent(username);
      at.password = encodeURIComponent(secret);
      const connection = await connect(at.href);
      connection.on('error', () => undefined);
      opened.push(connection);
      return connection;
    }
    /** What the broker says to one request, on a channel of its own. */
    async function said(
      request: (channel: Awaited<ReturnType<ChannelModel['createConfirmChannel']>>) => Promise<unknown>,
    ): Promise<string> {
      const channel = await (await signIn()).createConfirmChannel();
      const failed = new Promise<string>((resolve) => {
        channel.on('error', (error: Error) => resolve(error.message));
      });
      return Promise.race([
        failed,
        request(channel).then(
          () => 'done',
          () => failed,
        ),
      ]);
    }
    const REFUSED = /ACCESS[_-]REFUSED/;

    test('a user may sign in at once, look at its queues and consume from them', async () => {
      await grant();
      const channel = await (await signIn()).createChannel();
      for (const queue of own) {
        await (await admin.createChannel()).sendToQueue(queue, Buffer.from('for you'));
        const arrived = Promise.withResolvers<string>();
        await channel.checkQueue(queue);
        await channel.consume(queue, (message) => {
          if (message === null) return;
          channel.ack(message);
          arrived.resolve(message.content.toString());
        });
        expect(await arrived.promise).toBe('for you');
      }
    });

    test('it can read no other queue, however similar the name', async () => {
      await grant();
      for (const queue of others) {
        expect(await said((channel) => channel.consume(queue, () => undefined)), queue).toMatch(REFUSED);
        expect(await said((channel) => channel.get(queue)), queue).toMatch(REFUSED);
      }
    });

    test('it can neither publish, declare, bind, purge others nor delete', async () => {
      await grant();
      const [queue = '', other = ''] = [own[0], others[0]];
      const publish = (exchange: string) => (channel: { publish(...words: unknown[]): unknown }) =>
        new Promise((resolve, reject) => {
          channel.publish(exchange, queue, Buffer.from('x'), {}, (error: unknown) =>
            error === null ? resolve('done') : reject(new Error('lost')),
          );
        });
      const attempts: Readonly<Record<string, Parameters<typeof said>[0]>> = {
        'publish to the default exchange': publish('') as Parameters<typeof said>[0],
        'publish to an exchange': publish('amq.topic') as Parameters<typeof said>[0],
        'declare a queue': (channel) => channel.assertQueue(`${queue}-new`),
        'declare an exchange': (channel) => channel.assertExchange(`${queue}-new`, 'topic'),
        'bind its queue': (channel) => channel.bindQueue(queue, 'amq.topic', '#'),
        'unbind its queue': (channel) => channel.unbindQueue(queue, 'amq.topic', '#'),
        'delete its queue': (channel) => channel.deleteQueue(queue),
        'purge the queue of another': (channel) => channel.purgeQueue(other),
      };
      for (const [name, attempt] of Object.entries(attempts))
        expect(await said(attempt), name).toMatch(REFUSED);
    });

    test('granting again replaces password and queues', async () => {
      await grant();
      await accounts.grant({ username, password: 'another', queues: [own[1] ?? ''] });
      await expect(signIn()).rejects.toThrow();
      const channel = await (await signIn('another')).createChannel();
      await channel.checkQueue(own[1] ?? '');
      channel.on('error', () => undefined);
      await expect(channel.get(own[0] ?? '')).rejects.toThrow(REFUSED);
    });

    test('a user that is removed is disconnected and cannot sign in again; removing an unknown user is no error', async () => {
      await grant();
      const connection = await signIn();
      const closed = new Promise((resolve) => connection.once('close', resolve));
      await accounts.revoke(username);
      await closed;
      await expect(signIn()).rejects.toThrow();
      await accounts.revoke(username);
    });

    test('where administration cannot be reached or refuses, it says so without a password', async () => {
      const nobody = `http://guest:hidden@127.0.0.1:${await freePort()}`;
      const wrong = new URL(adminUrl);
      wrong.password = 'hidden';
      for (const one of [nobody, wrong.href]) {
        const failing = rabbitAccounts({ http: realHttp() }, { address, adminUrl: one });
        const granting = failing.grant({ username, password: 'secret', queues: own });
        await expect(granting).rejects.toBeInstanceOf(AccountsUnreachable);
        await expect(granting).rejects.not.toThrow(/hidden|secret/);
        await expect(failing.revoke(username)).rejects.toBeInstanceOf(AccountsUnreachable);
        await expect(failing.check?.()).rejects.toMatchObject({ isRefused: one !== nobody });
      }
      await accounts.check?.();
      expect(() => rabbitAccounts({ http: realHttp() }, { address, adminUrl: 'http://hidden' })).toThrow(
        TypeError,
      );
    });
  });
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { expect, test, vi } from 'vitest';
import { MessageLog } from '../../brokers/amqp/store/message-log.ts';
import { startEmbeddedAmqp } from '../support/amqp/embedded-amqp-broker.ts';
import { waitUntil } from '../support/run/external-services.ts';

test('a full disk: nothing is confirmed, publishers are blocked, consumers continue; with space again everything is confirmed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-amqp-full-'));
  const path = join(folder, 'amqp.db');
  let broker = await startEmbeddedAmqp({ path });
  const connection = await connect(broker.urlOf('owner'), { noDelay: true });
  const told: string[] = [];
  connection.on('blocked', (reason: string) => told.push(`blocked: ${reason}`));
  connection.on('unblocked', () => told.push('unblocked'));
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue('kept');
  channel.sendToQueue('kept', Buffer.from('before'), { persistent: true });
  await channel.waitForConfirms();

  const full = vi
    .spyOn(MessageLog.prototype, 'commit')
    .mockImplementation(() => Promise.reject(new Error('database or disk is full')));
  let confirmed = 0;
  for (let count = 0; count < 50; count++) {
    channel.sendToQueue('kept', Buffer.from(`${count}`), { persistent: true }, (error: unknown) => {
      if (error === null) confirmed++;
    });
  }
  await waitUntil(() => told.length === 1);
  expect(told).toEqual(['blocked: low on disk']);
  const reader = await connect(broker.urlOf('owner'), { noDelay: true });
  const reading = await reader.createChannel();
  const first = await reading.get('kept');
  expect(first === false ? '' : first.content.toString()).toBe('before');
  await waitUntil(() => full.mock.calls.length >= 2);
  expect(confirmed).toBe(0);
  expect(broker.lines.filter((line) => line.includes('disk is full'))).toHaveLength(1);

  full.mockRestore();
  await channel.waitForConfirms();
  expect(confirmed).toBe(50);
  await waitUntil(() => told.length === 2);
  expect(told[1]).toBe('unblocked');
  await connection.close();
  await reader.close();
  await broker.close();
  broker = await startEmbeddedAmqp({ path });
  const again = await connect(broker.urlOf('owner'), { noDelay: true });
  expect((await (await again.createChannel()).checkQueue('kept')).messageCount).toBe(51);
  await again.close();
  await broker.close();
  rmSync(folder, { recursive: true });
});

test('a full disk: existing objects can be declared again, new ones are refused soon; with space again they are accepted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-amqp-full-'));
  const broker = await startEmbeddedAmqp({ path: join(folder, 'amqp.db') });
  const signIn = async () => {
    const connection = await connect(broker.urlOf('owner'), { noDelay: true });
    const reasons: string[] = [];
    connection.on('error', (error: Error) => reasons.push(error.message));
    return { connection, reasons, channel: await connection.createChannel() };
  };
  const { channel, connection } = await signIn();
  await channel.assertQueue('kept');
  await channel.assertExchange('events', 'topic', { durable: true });
  await channel.bindQueue('kept', 'events', 'a.#');

  const full = vi
    .spyOn(MessageLog.prototype, 'commit')
    .mockImplementation(() => Promise.reject(new Error('database or disk is full')));
  // The client that discovers it is answered after a while, all others at once.
  for (const queue of ['first', 'second']) {
    const { channel: asking, connection: asker, reasons } = await signIn();
    await expect(asking.assertQueue(queue)).rejects.toThrow();
    await waitUntil(() => reasons.length === 1);
    expect(reasons[0]).toContain('506');
    expect(reasons[0]).toContain('low on disk');
    await asker.close().catch(() => undefined);
    await channel.checkQueue('kept');
    await channel.assertQueue('kept');
    await channel.assertExchange('events', 'topic', { durable: true });
    await channel.bindQueue('kept', 'events', 'a.#');
    await channel.assertQueue('passing', { durable: false });
  }

  full.mockRestore();
  const { channel: later, connection: last } = await signIn();
  await waitUntil(() =>
    signIn().then(({ channel: asking, connection: asker }) =>
      asking.assertQueue('second').then(
        () => asker.close().then(() => true),
        () => false,
      ),
    ),
  );
  await later.checkQueue('first');
  await last.close();
  await connection.close();
  await broker.close();
  rmSync(folder, { recursive: true });
});

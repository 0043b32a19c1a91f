import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limits } from '../../brokers/limits.ts';
import { embeddedBroker, rabbitBroker } from '../support/amqp/contract-brokers.ts';
import { greet, openRawAmqpClient } from '../support/amqp/raw-amqp-client.ts';
import { rabbitmq } from '../support/run/external-services.ts';
import { ARGUMENT_REFUSALS } from './amqp-consumer-argument-refusals.ts';
import { DIFFERENCES } from './amqp-consumer-differences.ts';
import { FRAME_FAULTS } from './amqp-consumer-frame-faults.ts';
import { GREETINGS } from './amqp-consumer-greetings.ts';
import { REFUSALS } from './amqp-consumer-refusals.ts';
import { REPLY_REFUSALS } from './amqp-consumer-reply-refusals.ts';
import { TYPE_REFUSALS } from './amqp-consumer-type-refusals.ts';

const RECORD = new URL('../../docs/decisions/0010-where-the-amqp-broker-differs.md', import.meta.url);

test('the decision record lists the differences of the tests, word for word', () => {
  const rows = readFileSync(RECORD, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| name'))
    .map((line) =>
      line
        .split('|')
        .slice(1, 4)
        .map((cell) => cell.trim()),
    );
  expect(rows).toEqual(Object.entries(DIFFERENCES).map(([name, { what, why }]) => [name, what, why]));
});

test('every refusal that differs names one of them, and uses its text', () => {
  for (const row of [
    ...REFUSALS,
    ...ARGUMENT_REFUSALS,
    ...TYPE_REFUSALS,
    ...REPLY_REFUSALS,
    ...FRAME_FAULTS,
    ...GREETINGS,
  ])
    if (row.embedded !== undefined) {
      expect(Object.keys(DIFFERENCES)).toContain(row.embedded.because);
      expect(row.embedded.says, row.name).not.toBe(row.says);
    }
});

test('the limits in the differences are those of the broker', () => {
  const told = (name: keyof typeof DIFFERENCES) => DIFFERENCES[name].what.replaceAll(',', '');
  for (const key of ['connections', 'queues', 'exchanges', 'bindings', 'consumersPerChannel'] as const)
    expect(told('counts-bound')).toContain(`${limits.amqp[key]}`);
  expect(told('counts-bound')).toContain(`${limits.amqp.unacknowledgedPerChannel}`);
  expect(told('channel-bound')).toContain(`${limits.amqp.channelMax}`);
  expect(told('message-bound')).toContain(`${limits.amqp.messageBytes / 1_024 / 1_024} MiB`);
  expect(told('slow-reader')).toContain(`${limits.amqp.stalledMs / 1_000} s`);
  for (const key of ['signInMs', 'connectMs', 'closeMs'] as const)
    expect(told('idle-until-open')).toContain(`${limits.amqp[key] / 1_000} s`);
  for (const key of ['waiting', 'waitingOfAddress'] as const)
    expect(told('waiting-bound')).toContain(`${limits.amqp[key]}`);
  expect(told('direct-reply-bound')).toContain(`${limits.amqp.outstandingReplyBytes / 1_024 / 1_024} MiB`);
  expect(told('full-disk')).toContain(`${limits.amqp.answerMs / 1_000} s`);
});

test('what each broker proposes in connection.tune', async () => {
  const embedded = await embeddedBroker();
  const found = await rabbitmq.find();
  const stages = [embedded, ...('where' in found ? [rabbitBroker(found.where.url)] : [])];
  for (const { kind, account, close } of stages) {
    const { wire } = await greet(account);
    expect(wire.words.find((each) => each.name === 'connection.tune')?.args).toEqual({
      channelMax: kind === 'embedded' ? 255 : 2_047,
      frameMax: 131_072,
      heartbeatS: 60,
    });
    wire.cut();
    await close();
  }
});

test('what a connection holds at its end reaches no other consumer of it', async () => {
  const { account, close } = await embeddedBroker();
  const [ending, other] = [await openRawAmqpClient(account), await openRawAmqpClient(account)];
  await other.ask('queue.declare', { queue: 'q' });
  await ending.ask('basic.consume', { queue: 'q', consumerTag: 'holds' });
  other.publish({ routingKey: 'q' });
  expect((await ending.next())?.name).toBe('basic.deliver');
  ending.send(2, 'channel.open');
  expect((await ending.next())?.name).toBe('channel.open-ok');
  ending.send(2, 'basic.consume', { queue: 'q', consumerTag: 'takes', noAck: true });
  expect((await ending.next())?.name).toBe('basic.consume-ok');
  ending.send(0, 'connection.close', { replyCode: 200 });
  expect((await ending.next())?.name).toBe('connection.close-ok');
  expect((await other.ask('basic.get', { queue: 'q', noAck: true }))?.args['redelivered']).toBe(true);
  for (const wire of [ending, other]) wire.cut();
  await close();
});

test('a priority changes no order', async () => {
  const { account, close } = await embeddedBroker();
  const wire = await openRawAmqpClient(account);
  await wire.ask('queue.declare', { queue: 'q', exclusive: true });
  for (const priority of [1, 9]) wire.publish({ routingKey: 'q' }, `${priority}`, { priority });
  expect((await wire.ask('basic.get', { queue: 'q', noAck: true }))?.body.toString()).toBe('1');
  wire.cut();
  await close();
});

import { expect, test } from 'vitest';
import { tableOf, textField } from '../../../../brokers/amqp/codec/fields.ts';
import { takeJournal } from '../../../../brokers/amqp/core.ts';
import { MessageStore } from '../../../../brokers/amqp/store/message-store.ts';
import { restore } from '../../../../brokers/amqp/store/restore.ts';
import { CoreBroker } from '../../../support/amqp/core-broker.ts';

test('a message keeps the keys of BCC over a restart, and no client sees them', () => {
  const store = new MessageStore(':memory:');
  const before = new CoreBroker();
  const client = before.client();
  const args = tableOf({ 'x-dead-letter-exchange': '' });
  client.declare('first', { durable: true, arguments: args });
  client.declare('hidden', { durable: true });
  const headers = new Map([['BCC', { type: 'A', value: [textField('hidden')] } as const]]);
  client.publish('first', 'x', { deliveryMode: 2, headers });
  client.get('hidden');
  store.commit(takeJournal(before.state).records);

  const after = new CoreBroker();
  restore(after.state, store.load());
  const reader = after.client();
  expect(reader.get('first', false)?.body).toBe('x');
  expect(Buffer.from(reader.raw).toString('latin1')).not.toContain('BCC');
  reader.send(1, 'basic.reject', { deliveryTag: 1n, requeue: false });
  expect(reader.get('hidden')?.body).toBe('x');
  store.close();
});

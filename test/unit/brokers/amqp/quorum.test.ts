import { describe, expect, test } from 'vitest';
import { tableOf } from '../../../../brokers/amqp/codec/fields.ts';
import { CoreBroker } from '../../../support/amqp/core-broker.ts';

const QUORUM = { durable: true, arguments: tableOf({ 'x-queue-type': 'quorum' }) };

describe('a quorum queue', () => {
  test.each([
    ['quorum', QUORUM, 1],
    ['classic', { durable: true }, 0],
  ])('of the type %s keeps transient messages on disk or not', (_, more, stored) => {
    const bench = new CoreBroker();
    const client = bench.client();
    client.declare('q', more);
    client.publish('q', 'x', { deliveryMode: 1 });
    bench.commit();
    expect(bench.entrances.filter(({ kind }) => kind === 'put-message')).toHaveLength(stored);
  });

  test('confirms a transient message once it is on disk', () => {
    const bench = new CoreBroker();
    const client = bench.client();
    client.declare('q', QUORUM);
    bench.commit();
    client.send(1, 'confirm.select', { noWait: false });
    client.publish('q', 'x', { deliveryMode: 1 });
    expect(client.names()).not.toContain('basic.ack');
    bench.commit();
    expect(client.names()).toContain('basic.ack');
  });

  test('puts a message that comes back to its place', () => {
    const bench = new CoreBroker();
    const client = bench.client();
    client.declare('q', QUORUM);
    for (const body of ['1', '2', '3']) client.publish('q', body);
    for (const _ of ['1', '2']) client.get('q', false);
    client.send(1, 'basic.nack', { deliveryTag: 2n, multiple: true, requeue: true });
    expect([1, 2, 3].map(() => client.get('q')?.body)).toEqual(['1', '2', '3']);
  });

  test('does not remove a message without a limit, however often it comes back', () => {
    const bench = new CoreBroker();
    const client = bench.client();
    client.declare('q', QUORUM);
    client.publish('q', 'x');
    for (let tag = 1n; tag <= 100n; tag++) {
      expect(client.get('q', false)?.body).toBe('x');
      client.send(1, 'basic.reject', { deliveryTag: tag, requeue: true });
    }
  });
});

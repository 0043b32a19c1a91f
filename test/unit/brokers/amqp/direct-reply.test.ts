import { expect, test } from 'vitest';
import { limits } from '../../../../brokers/limits.ts';
import { CoreBroker } from '../../../support/amqp/core-broker.ts';

const REPLY_TO = 'amq.rabbitmq.reply-to';

test('a caller that reads no replies gets no more than the limit, and is told why it is closed', () => {
  const bench = new CoreBroker();
  const [caller, server] = [bench.client(), bench.client()];
  caller.consume(REPLY_TO, { noAck: true });
  server.declare('calls');
  caller.publish('calls', 'question', { replyTo: REPLY_TO });
  const [name] = [...bench.state.replyConsumers.keys()];
  const body = 'x'.repeat(1_000_000);
  const written = () => bench.state.connections.get(caller.id)?.outstandingBytes ?? 0;
  for (let count = 0; count < 20; count++) server.publish(String(name), body);
  expect(written()).toBeLessThan(limits.amqp.outstandingReplyBytes + 2 * body.length);
  expect(caller.closed().slice(0, 2)).toEqual(['connection.close', 506]);
  expect(server.closed()).toEqual([]);
});

test('nothing is kept of callers that have disconnected', () => {
  const bench = new CoreBroker();
  const [one, other] = [bench.client(), bench.client()];
  for (const each of [one, other]) each.consume(REPLY_TO, { noAck: true });
  expect(bench.state.replyConsumers.size).toBe(2);
  one.send(1, 'channel.close', { replyCode: 200, replyText: '', classId: 0, methodId: 0 });
  bench.step({ kind: 'gone', connection: other.id });
  expect(bench.state.replyConsumers.size).toBe(0);
});

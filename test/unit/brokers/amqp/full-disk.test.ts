import { beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../../../brokers/limits.ts';
import { CoreBroker, type CorePeer } from '../../../support/amqp/core-broker.ts';

const X = {
  reserved1: 0,
  exchange: 'x',
  type: 'topic',
  passive: false,
  durable: true,
  autoDelete: false,
  internal: false,
  noWait: false,
  arguments: new Map(),
};
const BIND = { reserved1: 0, queue: 'kept', exchange: 'x', noWait: false, arguments: new Map() };
const DELETE = { reserved1: 0, ifUnused: false, ifEmpty: false, noWait: false };

describe('while the disk is full', () => {
  let bench: CoreBroker;
  let peer: CorePeer;

  beforeEach(() => {
    bench = new CoreBroker();
    peer = bench.client();
    peer.declare('kept', { durable: true });
    peer.send(1, 'exchange.declare', X);
    peer.send(1, 'queue.bind', { ...BIND, routingKey: 'a' });
    bench.commit();
    // A message that cannot be written.
    const other = bench.client();
    other.publish('kept', 'x', { deliveryMode: 2 });
    bench.step({ kind: 'commit-failed' });
    peer = bench.client();
  });

  test('existing queues, exchanges and bindings are declared and bound again at once, passively or not', () => {
    peer.declare('kept', { passive: true });
    peer.declare('kept', { durable: true });
    peer.send(1, 'exchange.declare', { ...X, passive: true });
    peer.send(1, 'exchange.declare', X);
    peer.send(1, 'queue.bind', { ...BIND, routingKey: 'a' });
    peer.send(1, 'queue.unbind', { ...BIND, routingKey: 'not bound' });
    peer.send(1, 'queue.delete', { ...DELETE, queue: 'not there' });
    expect(peer.names().filter((name) => name !== 'connection.blocked')).toEqual([
      ...['queue.declare-ok', 'queue.declare-ok', 'exchange.declare-ok', 'exchange.declare-ok'],
      ...['queue.bind-ok', 'queue.unbind-ok', 'queue.delete-ok'],
    ]);
  });

  test('objects in memory only are declared, bound, purged and deleted at once', () => {
    peer.declare('passing');
    peer.send(1, 'queue.bind', { ...BIND, queue: 'passing', routingKey: 'b' });
    peer.send(1, 'queue.purge', { reserved1: 0, queue: 'passing', noWait: false });
    peer.send(1, 'queue.delete', { ...DELETE, queue: 'passing' });
    expect(peer.names().slice(-4)).toEqual([
      ...['queue.declare-ok', 'queue.bind-ok', 'queue.purge-ok', 'queue.delete-ok'],
    ]);
  });

  test.each<[string, (peer: CorePeer) => void, string]>([
    ['a queue', (each) => each.declare('new', { durable: true }), "queue 'new' in vhost '/'"],
    [
      'an exchange',
      (each) => each.send(1, 'exchange.declare', { ...X, exchange: 'new' }),
      "exchange 'new' in vhost '/'",
    ],
    ['a binding', (each) => each.send(1, 'queue.bind', { ...BIND, routingKey: 'new' }), 'a binding'],
    [
      'the end of a binding',
      (each) => each.send(1, 'queue.unbind', { ...BIND, routingKey: 'a' }),
      'the end of a binding',
    ],
    [
      'a purge',
      (each) => each.send(1, 'queue.purge', { reserved1: 0, queue: 'kept', noWait: false }),
      "a purge of queue 'kept' in vhost '/'",
    ],
    [
      'the deletion of a queue',
      (each) => each.send(1, 'queue.delete', { ...DELETE, queue: 'kept' }),
      "a deletion of queue 'kept' in vhost '/'",
    ],
    [
      'the deletion of an exchange',
      (each) =>
        each.send(1, 'exchange.delete', { reserved1: 0, exchange: 'x', ifUnused: false, noWait: false }),
      "a deletion of exchange 'x' in vhost '/'",
    ],
  ])('%s that must be written down is refused at once, and nothing has changed', (_, ask, of) => {
    const before = [bench.state.journal.length, bench.state.queues.size, bench.state.bindingCount];
    ask(peer);
    expect(peer.closed()).toEqual([
      'connection.close',
      506,
      `RESOURCE_ERROR - ${of} cannot be written to disk: low on disk`,
    ]);
    expect([bench.state.journal.length, bench.state.queues.size, bench.state.bindingCount]).toEqual(before);
  });

  test('earlier requests wait only for a limited time, and their confirms are not sent', () => {
    bench.commit();
    const asker = bench.client();
    asker.send(1, 'confirm.select', { noWait: true });
    asker.publish('kept', 'y', { deliveryMode: 2 });
    asker.declare('late', { durable: true });
    asker.declare('kept', { passive: true });
    bench.step({ kind: 'commit-failed' });
    bench.pass(limits.amqp.answerMs - 1);
    expect(asker.closed()).toEqual([]);
    bench.pass(1);
    expect(asker.closed()).toEqual([
      'connection.close',
      506,
      'RESOURCE_ERROR - the change could not be written to disk: low on disk',
    ]);
    expect(asker.names()).not.toContain('basic.ack');
    // Once there is space it exists: both requests caused the same declaration.
    bench.commit();
    const again = bench.client();
    again.declare('late', { durable: true });
    expect(again.names()).toEqual(['queue.declare-ok']);
  });

  test('a queue that is not on disk yet is reported as existing to no client', () => {
    bench.commit();
    const [one, other] = [bench.client(), bench.client()];
    one.declare('new', { durable: true });
    other.declare('new', { passive: true });
    expect([one.names(), other.names()]).toEqual([[], []]);
    bench.commit();
    expect([one.names(), other.names()]).toEqual([['queue.declare-ok'], ['queue.declare-ok']]);
  });

  test('a queue whose deletion is not on disk yet is reported as deleted to no client', () => {
    bench.commit();
    const [one, other] = [bench.client(), bench.client()];
    for (const each of [one, other]) each.send(1, 'queue.delete', { ...DELETE, queue: 'kept' });
    expect([one.names(), other.names()]).toEqual([[], []]);
    bench.commit();
    expect([one.names(), other.names()]).toEqual([['queue.delete-ok'], ['queue.delete-ok']]);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tableOf } from '../../../../brokers/amqp/codec/fields.ts';
import { encodeAmqpFrame, FRAME } from '../../../../brokers/amqp/codec/frames.ts';
import { encodeContentHeader, encodeProperties } from '../../../../brokers/amqp/codec/properties.ts';
import { methodFrame } from '../../../../brokers/amqp/sending.ts';
import { limits } from '../../../../brokers/limits.ts';
import { CoreBroker, PROTOCOL_HEADER } from '../../../support/amqp/core-broker.ts';

describe('the handshake', () => {
  test('a wrong protocol header is answered with the right one, and the connection ends', () => {
    const peer = new CoreBroker().peer();
    peer.bytes(Buffer.from('GET / HTTP/1.1\r\n'));
    expect([...peer.raw]).toEqual([...PROTOCOL_HEADER]);
    expect(peer.isEnded).toBe(true);
  });

  test('the handshake works with its bytes in any chunks', () => {
    const bench = new CoreBroker();
    const peer = bench.peer();
    for (const byte of PROTOCOL_HEADER) peer.bytes(Uint8Array.of(byte));
    expect(peer.names()).toEqual(['connection.start']);
  });

  test('a wrong password is refused in the words of RabbitMQ', () => {
    const bench = new CoreBroker();
    const peer = bench.peer();
    peer.bytes(PROTOCOL_HEADER);
    peer.startOk('\0user\0wrong');
    bench.step({ kind: 'signed-in', connection: peer.id, isAdmitted: false });
    expect(peer.closed()).toEqual([
      'connection.close',
      403,
      'ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. For details see the broker logfile.',
    ]);
  });

  test('an idle client is severed after a while, and so is one that never answers a close', () => {
    const bench = new CoreBroker();
    const [silent, stubborn] = [bench.peer(), bench.client()];
    stubborn.send(0, 'connection.blocked', { reason: '' });
    expect(stubborn.closed()[1]).toBe(504);
    bench.pass(limits.amqp.closeMs);
    expect([silent.isEnded, stubborn.isEnded]).toEqual([false, true]);
    bench.pass(limits.amqp.connectMs);
    expect(silent.isEnded).toBe(true);
  });

  test('heartbeats are sent at half the interval, and a peer is severed after three intervals of silence', () => {
    const bench = new CoreBroker();
    const peer = bench.client(10);
    bench.pass(5_000);
    expect(peer.heartbeats).toBe(1);
    bench.pass(25_000);
    expect(peer.isEnded).toBe(false);
    bench.pass(1);
    expect(peer.isEnded).toBe(true);
  });

  test('any bytes after the handshake end in a close or wait for more; the broker and other connections go on', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 60 }), (bytes) => {
        const bench = new CoreBroker();
        const [bad, good] = [bench.client(), bench.client()];
        bad.bytes(bytes);
        good.declare('q');
        expect(good.names()).toEqual(['queue.declare-ok']);
      }),
    );
  });

  test.each([
    ['a frame that is too large', Uint8Array.of(1, 0, 1, 0x7f, 0xff, 0xff, 0xff), 501],
    ['a method that does not exist', encodeAmqpFrame(1, 1, Uint8Array.of(0, 99, 0, 99)), 503],
    ['arguments that end too early', encodeAmqpFrame(1, 1, Uint8Array.of(0, 50, 0, 10, 0)), 501],
    ['a body without a publication', encodeAmqpFrame(3, 1, Uint8Array.of(1)), 505],
    ['a channel that is not open', encodeAmqpFrame(1, 9, Uint8Array.of(0, 85, 0, 10, 0)), 504],
    ['transactions', encodeAmqpFrame(1, 1, Uint8Array.of(0, 90, 0, 10)), 540],
  ])('%s closes the connection', (_, bytes, code) => {
    const peer = new CoreBroker().client();
    peer.bytes(bytes);
    expect(peer.closed().slice(0, 2)).toEqual(['connection.close', code]);
  });
});

describe('publications', () => {
  test('a persistent message is confirmed after the commit, any other at once', () => {
    const bench = new CoreBroker();
    const peer = bench.client();
    peer.declare('kept', { durable: true });
    bench.commit();
    peer.send(1, 'confirm.select', { noWait: false });
    peer.said.length = 0;
    for (const word of ['a', 'b']) peer.publish('kept', word, { deliveryMode: 2 });
    expect(peer.said).toEqual([]);
    peer.publish('kept', 'c');
    expect(peer.said.map((each) => each.args)).toEqual([{ deliveryTag: 3n, multiple: false }]);
    bench.commit();
    expect(peer.said.at(-1)?.args).toEqual({ deliveryTag: 2n, multiple: true });
    expect(bench.entrances.map((each) => each.kind)).toEqual(['put-queue', 'put-message', 'put-message']);
  });

  test('while the disk is full, publishers are blocked and told, and no confirm is sent', () => {
    const bench = new CoreBroker();
    const peer = bench.client();
    peer.declare('kept', { durable: true });
    bench.commit();
    peer.send(1, 'confirm.select', { noWait: false });
    peer.said.length = 0;
    peer.publish('kept', 'a', { deliveryMode: 2 });
    bench.step({ kind: 'commit-failed' });
    expect(peer.names()).toEqual(['connection.blocked']);
    expect(bench.effects.at(-1)).toEqual({ kind: 'pause', connection: peer.id });
    bench.commit();
    expect(peer.names()).toEqual(['connection.blocked', 'basic.ack', 'connection.unblocked']);
    expect(bench.effects.at(-1)).toEqual({ kind: 'resume', connection: peer.id });
  });

  test('over the memory limit publishers are blocked until a consumer frees memory', () => {
    const bench = new CoreBroker();
    const [publisher, consumer] = [bench.client(), bench.client()];
    publisher.declare('q');
    publisher.publish('q', 'x');
    bench.state.messageBytes += limits.amqp.memoryBytes;
    publisher.publish('q', 'y');
    expect(publisher.names()).toContain('connection.blocked');
    bench.state.messageBytes -= limits.amqp.memoryBytes;
    consumer.get('q');
    expect(publisher.names()).toContain('connection.unblocked');
    expect(bench.effects.filter((each) => each.kind === 'pause')).toHaveLength(1);
  });

  test('a message over the limit is refused, and so are bodies that never end', () => {
    const bench = new CoreBroker();
    const peer = bench.client();
    const publish = { reserved1: 0, exchange: '', routingKey: 'q', mandatory: false, immediate: false };
    peer.send(1, 'basic.publish', publish);
    const header = encodeContentHeader(encodeProperties({}), limits.amqp.messageBytes + 1);
    peer.bytes(encodeAmqpFrame(FRAME.header, 1, header));
    expect(peer.closed().slice(0, 2)).toEqual(['channel.close', 406]);
  });

  test('a consumer that reads nothing gets no more than the limit, and the rest as it reads', () => {
    const bench = new CoreBroker();
    const [publisher, consumer] = [bench.client(), bench.client()];
    publisher.declare('q');
    consumer.consume('q', { noAck: true });
    const body = 'x'.repeat(100_000);
    for (let count = 0; count < 50; count++) publisher.publish('q', body);
    const before = consumer.bodies().length;
    expect(before).toBeLessThan(15);
    const state = bench.state.connections.get(consumer.id);
    bench.step({ kind: 'flushed', connection: consumer.id, bytes: state?.outstandingBytes ?? 0 });
    expect(consumer.bodies().length).toBeGreaterThan(before);
    bench.pass(limits.amqp.stalledMs);
    expect(consumer.isEnded).toBe(true);
    expect(publisher.isEnded).toBe(true);
  });

  test('a client that sends many requests and reads nothing gets no answers beyond the limit', () => {
    const bench = new CoreBroker();
    const [publisher, greedy] = [bench.client(), bench.client()];
    publisher.declare('q');
    for (let count = 0; count < 60; count++) publisher.publish('q', 'x'.repeat(100_000));
    const get = methodFrame(1, 'basic.get', { reserved1: 0, queue: 'q', noAck: true });
    greedy.bytes(Buffer.concat(Array.from({ length: 60 }, () => get)));
    expect(greedy.said.length).toBeLessThan(30);
    const outstanding = () => bench.state.connections.get(greedy.id)?.outstandingBytes ?? 0;
    while (outstanding() > 0) bench.step({ kind: 'flushed', connection: greedy.id, bytes: outstanding() });
    expect(greedy.said.length).toBe(60);
  });

  test('mandatory and unroutable: first the return, then the confirm', () => {
    const peer = new CoreBroker().client();
    peer.send(1, 'confirm.select', { noWait: true });
    peer.publish('nowhere', 'x', {}, '', true);
    expect(peer.names()).toEqual(['basic.return', 'basic.ack']);
    expect(peer.said[0]).toMatchObject({ body: 'x', args: { replyCode: 312, replyText: 'NO_ROUTE' } });
  });
});

describe('queues', () => {
  test('no message is lost or duplicated between consumers that acknowledge, requeue and disconnect', () => {
    const deeds = fc.array(fc.constantFrom('ack', 'requeue', 'leave', 'publish'), { maxLength: 40 });
    fc.assert(
      fc.property(deeds, fc.integer({ min: 1, max: 4 }), (list, prefetch) => {
        const bench = new CoreBroker();
        const publisher = bench.client();
        publisher.declare('q');
        const acknowledged: string[] = [];
        let published = 0;
        let consumer = bench.client();
        const begin = () => {
          consumer.send(1, 'basic.qos', { prefetchSize: 0, prefetchCount: prefetch, global: false });
          consumer.consume('q');
        };
        begin();
        for (const deed of list) {
          const next = consumer.said.find((each) => each.name === 'basic.deliver');
          const deliveryTag = next?.args['deliveryTag'];
          if (deed === 'publish') publisher.publish('q', `${published++}`);
          else if (deed === 'leave') {
            bench.step({ kind: 'gone', connection: consumer.id });
            consumer = bench.client();
            begin();
          } else if (next !== undefined && typeof deliveryTag === 'bigint') {
            consumer.said.splice(consumer.said.indexOf(next), 1);
            if (deed === 'ack') {
              acknowledged.push(next.body);
              consumer.send(1, 'basic.ack', { deliveryTag, multiple: false });
            } else consumer.send(1, 'basic.nack', { deliveryTag, multiple: false, requeue: true });
          }
        }
        bench.step({ kind: 'gone', connection: consumer.id });
        const left: string[] = [];
        for (let said = publisher.get('q'); said !== undefined; said = publisher.get('q'))
          left.push(said.body);
        expect(left.map(Number)).toEqual(left.map(Number).sort((one, other) => one - other));
        expect([...acknowledged, ...left].map(Number).sort((one, other) => one - other)).toEqual(
          Array.from({ length: published }, (_, index) => index),
        );
        expect(bench.state.messageBytes).toBe(0);
      }),
    );
  });

  test('rejected, expired and surplus messages go to the dead letter exchange, with the reason', () => {
    const bench = new CoreBroker();
    const peer = bench.client();
    peer.declare('dead');
    const dead = { 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': 'dead' };
    peer.declare('q', { arguments: tableOf({ ...dead, 'x-message-ttl': 1_000, 'x-max-length': 2 }) });
    for (const word of ['too many', 'rejected', 'too old']) peer.publish('q', word);
    const first = peer.get('q', false);
    expect(first?.body).toBe('rejected');
    peer.send(1, 'basic.reject', { deliveryTag: 1n, requeue: false });
    bench.pass(1_000);
    expect(['', '', '', ''].map(() => peer.get('dead')?.body)).toEqual([
      'too many',
      'rejected',
      'too old',
      undefined,
    ]);
  });

  test('a message in a cycle of dead-lettering is dropped', () => {
    const bench = new CoreBroker();
    const peer = bench.client();
    const to = (queue: string) =>
      tableOf({ 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': queue, 'x-message-ttl': 10 });
    peer.declare('one', { arguments: to('two') });
    peer.declare('two', { arguments: to('one') });
    peer.publish('one', 'x');
    for (let round = 0; round < 10; round++) bench.pass(20);
    expect([peer.get('one'), peer.get('two')]).toEqual([undefined, undefined]);
    expect(bench.state.messageBytes).toBe(0);
  });

  test('x-overflow reject-publish refuses messages over the limit', () => {
    const peer = new CoreBroker().client();
    peer.declare('q', { arguments: tableOf({ 'x-max-length': 1, 'x-overflow': 'reject-publish' }) });
    peer.send(1, 'confirm.select', { noWait: true });
    peer.said.length = 0;
    for (const word of ['a', 'b']) peer.publish('q', word);
    expect(peer.names()).toEqual(['basic.ack', 'basic.nack']);
  });

  test('exclusive queues are removed with their connection, auto-delete ones with their last consumer', () => {
    const bench = new CoreBroker();
    const [one, other] = [bench.client(), bench.client()];
    one.declare('mine', { exclusive: true });
    one.declare('passing', { autoDelete: true });
    other.declare('mine', { passive: true });
    expect(other.closed().slice(0, 2)).toEqual(['channel.close', 405]);
    one.consume('passing');
    bench.step({ kind: 'gone', connection: one.id });
    expect([...bench.state.queues.keys()]).toEqual([]);
  });

  test('the consumers of a deleted queue are told', () => {
    const bench = new CoreBroker();
    const [one, other] = [bench.client(), bench.client()];
    one.declare('q');
    one.consume('q');
    other.send(1, 'queue.delete', {
      reserved1: 0,
      queue: 'q',
      ifUnused: false,
      ifEmpty: false,
      noWait: false,
    });
    expect(one.said.at(-1)).toMatchObject({ name: 'basic.cancel', args: { consumerTag: 'c' } });
  });

  test('x-expires removes an unused queue', () => {
    const bench = new CoreBroker();
    bench.client().declare('q', { arguments: tableOf({ 'x-expires': 500 }) });
    bench.pass(499);
    expect(bench.state.queues.size).toBe(1);
    bench.pass(1);
    expect(bench.state.queues.size).toBe(0);
  });
});

test('permissions: each operation is checked with its name, and refused in the words of RabbitMQ', () => {
  const asked: string[] = [];
  const bench = new CoreBroker({
    permits: (user, operation, name) => {
      asked.push(`${user} ${operation} ${name}`);
      return false;
    },
  });
  const peer = bench.client();
  peer.declare('q');
  expect(peer.closed()).toEqual([
    'channel.close',
    403,
    "ACCESS_REFUSED - configure access to queue 'q' in vhost '/' refused for user 'user'",
  ]);
  peer.send(1, 'channel.close-ok', {});
  peer.send(1, 'channel.open', { reserved1: '' });
  peer.publish('q', 'x');
  expect(asked).toEqual(['user configure q', 'user write amq.default']);
});

import { describe, expect, test } from 'vitest';
import { encodeAmqpFrame, encodeBody, FRAME } from '../../../../brokers/amqp/codec/frames.ts';
import { encodeMethod, type MethodArguments } from '../../../../brokers/amqp/codec/method-codec.ts';
import type { MethodName } from '../../../../brokers/amqp/codec/methods.ts';
import { encodeContentHeader, encodeProperties } from '../../../../brokers/amqp/codec/properties.ts';
import { AmqpObserver } from '../../../../certify/client/amqp-observer.ts';
import { EventLog } from '../../../../certify/client/event-log.ts';

function frame<Name extends MethodName>(
  channel: number,
  name: Name,
  args: MethodArguments<Name>,
): Uint8Array {
  return encodeAmqpFrame(FRAME.method, channel, encodeMethod(name, args));
}

const PROTOCOL = Buffer.from('AMQP\x00\x00\x09\x01', 'latin1');

/** A client that has signed in and opened channel 1. */
function watched(user = 'demo') {
  const log = new EventLog({ nowMs: () => 7 });
  const observer = new AmqpObserver(log);
  let isSevered = false;
  observer.opened(1, () => {
    isSevered = true;
  });
  const received = (...bytes: readonly Uint8Array[]) => observer.received(1, Buffer.concat(bytes));
  const sent = (...bytes: readonly Uint8Array[]) => observer.sent(1, Buffer.concat(bytes));
  const response = Buffer.from(`\0${user}\0secret`);
  const startOk = { clientProperties: new Map(), mechanism: 'PLAIN', response, locale: 'en_US' };
  const signIn = () =>
    received(PROTOCOL, frame(0, 'connection.start-ok', startOk), frame(1, 'channel.open', { reserved1: '' }));
  return { log, observer, received, sent, signIn, isSevered: () => isSevered };
}

const consume = (noAck: boolean) =>
  frame(1, 'basic.consume', {
    reserved1: 0,
    queue: 'q',
    consumerTag: 'c',
    noLocal: false,
    noAck,
    exclusive: false,
    noWait: false,
    arguments: new Map(),
  });
const qos = frame(1, 'basic.qos', { prefetchSize: 0, prefetchCount: 20, global: false });
const consumeOk = frame(1, 'basic.consume-ok', { consumerTag: 'c' });

function message(tag: bigint, id: string, frameMax = 4_096): Uint8Array {
  const state = { central_lock: { timestamp: '2026-01-31T12:00:00Z', value: 'LOCKED' } };
  const body = Buffer.from(JSON.stringify({ data: { vehicle_id: 'AAAAA', vehicle_state: state } }));
  const deliver = { consumerTag: 'c', deliveryTag: tag, redelivered: false, exchange: 'e', routingKey: 'r' };
  const header = encodeContentHeader(encodeProperties({ messageId: id }), body.length);
  return Buffer.concat([
    frame(1, 'basic.deliver', deliver),
    encodeAmqpFrame(FRAME.header, 1, header),
    ...encodeBody(1, body, frameMax),
  ]);
}

describe('the observer of AMQP', () => {
  test('notes a consumer with its prefetch, its messages, and what becomes of each', () => {
    const { log, received, sent, signIn } = watched();
    signIn();
    received(qos, consume(false));
    // In pieces: no frame comes whole, and the body is of several.
    const bytes = Buffer.concat([
      consumeOk,
      message(1n, 'one', 50),
      message(2n, 'two'),
      message(3n, 'three'),
    ]);
    for (let at = 0; at < bytes.length; at += 7) sent(bytes.subarray(at, at + 7));
    received(frame(1, 'basic.ack', { deliveryTag: 2n, multiple: true }));
    received(frame(1, 'basic.nack', { deliveryTag: 3n, multiple: false, requeue: true }));
    const recorded = { central_lock: Date.parse('2026-01-31T12:00:00Z') };
    const each = { connection: 1, isWithoutAcks: false, vehicleId: 'AAAAA', recorded, atMs: 7 };
    expect(log.events).toEqual([
      { kind: 'connected', connection: 1, isRefused: false, atMs: 7 },
      { kind: 'subscribed', connection: 1, queue: 'q', isWithoutAcks: false, prefetch: 20, atMs: 7 },
      { kind: 'delivered', delivery: 1, messageId: 'one', ...each },
      { kind: 'delivered', delivery: 2, messageId: 'two', ...each },
      { kind: 'delivered', delivery: 3, messageId: 'three', ...each },
      { kind: 'settled', delivery: 1, how: 'acknowledged', atMs: 7 },
      { kind: 'settled', delivery: 2, how: 'acknowledged', atMs: 7 },
      { kind: 'settled', delivery: 3, how: 'requeued', atMs: 7 },
    ]);
  });

  test('notes that a consumer acknowledges nothing', () => {
    const { log, received, sent, signIn } = watched();
    signIn();
    received(consume(true));
    sent(consumeOk, message(1n, 'one'));
    expect(log.events.slice(1)).toMatchObject([
      { kind: 'subscribed', isWithoutAcks: true, prefetch: 0 },
      { kind: 'delivered', isWithoutAcks: true },
    ]);
  });

  test('does not look at the service', () => {
    const { log, observer, signIn, received } = watched('backend');
    observer.setAway(true);
    signIn();
    received(qos, consume(false));
    observer.closed(1);
    expect(log.events).toEqual([]);
  });

  test('cuts clients off while the broker is away, and takes none', () => {
    const first = watched();
    first.signIn();
    first.observer.setAway(true);
    expect(first.isSevered()).toBe(true);
    first.observer.closed(1);
    const refused = watched();
    refused.observer.setAway(true);
    refused.signIn();
    refused.observer.closed(1);
    expect(refused.isSevered()).toBe(true);
    expect(first.log.events.slice(1)).toMatchObject([{ kind: 'disconnected', isCut: true }]);
    expect(refused.log.events).toMatchObject([{ kind: 'connected', isRefused: true }]);
  });

  test('takes what is no AMQP without a word', () => {
    const { log, received } = watched();
    received(Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n and more than that'));
    expect(log.events).toEqual([]);
  });
});

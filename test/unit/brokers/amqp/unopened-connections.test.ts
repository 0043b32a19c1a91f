import { describe, expect, test } from 'vitest';
import { limits } from '../../../../brokers/limits.ts';
import { CoreBroker, type CorePeer, PROTOCOL_HEADER } from '../../../support/amqp/core-broker.ts';

const silent = (bench: CoreBroker, count: number, address?: string): readonly CorePeer[] =>
  Array.from({ length: count }, () => bench.peer(address));
const left = (peers: readonly CorePeer[]) => peers.filter(({ isEnded }) => !isEnded).length;

describe('connections that have not signed in', () => {
  test('however many are idle, a client that signs in is admitted, and open connections stay', () => {
    const bench = new CoreBroker();
    const early = bench.client();
    const strangers = silent(bench, 600);
    expect(left(strangers)).toBe(limits.amqp.waitingOfAddress);
    const late = bench.client();
    late.declare('q');
    early.declare('q');
    expect([early.names(), late.names()]).toEqual([['queue.declare-ok'], ['queue.declare-ok']]);
    expect(left(strangers)).toBe(limits.amqp.waitingOfAddress - 1);
  });

  test('the oldest is severed, and the log names its address', () => {
    const bench = new CoreBroker();
    const strangers = silent(bench, limits.amqp.waitingOfAddress, '10.0.0.1');
    expect(left(strangers)).toBe(limits.amqp.waitingOfAddress);
    bench.peer('10.0.0.1');
    expect(strangers.findIndex(({ isEnded }) => !isEnded)).toBe(1);
    expect(bench.effects).toContainEqual(expect.objectContaining({ kind: 'warn', who: '10.0.0.1' }));
  });

  test('the address with most of them loses one to another address', () => {
    const bench = new CoreBroker();
    const few = silent(bench, limits.amqp.waiting - limits.amqp.waitingOfAddress, '10.0.0.2');
    const many = silent(bench, limits.amqp.waitingOfAddress, '10.0.0.1');
    const [late] = silent(bench, 1, '10.0.0.3');
    expect([left(few), left(many), late?.isEnded]).toEqual([few.length, many.length - 1, false]);
  });

  test('a connection whose password is being checked is not severed', () => {
    const bench = new CoreBroker();
    const signing = silent(bench, limits.amqp.waitingOfAddress);
    for (const peer of signing) {
      peer.bytes(PROTOCOL_HEADER);
      peer.startOk('\0user\0password');
    }
    const [late] = silent(bench, 1);
    expect([left(signing), late?.isEnded]).toEqual([signing.length, true]);
    const elsewhere = bench.client(0, '10.0.0.9');
    elsewhere.declare('q');
    expect(elsewhere.names()).toEqual(['queue.declare-ok']);
  });

  test('each has a few seconds to sign in, and twice as many to be open', () => {
    const bench = new CoreBroker();
    const [mute, slow] = [bench.peer(), bench.peer()];
    slow.bytes(PROTOCOL_HEADER);
    slow.startOk('\0user\0password');
    bench.pass(limits.amqp.signInMs - 1);
    expect([mute.isEnded, slow.isEnded]).toEqual([false, false]);
    bench.pass(1);
    expect([mute.isEnded, slow.isEnded]).toEqual([true, false]);
    bench.pass(limits.amqp.connectMs - limits.amqp.signInMs);
    expect(slow.isEnded).toBe(true);
  });

  test('one connection over the limit is refused at connection.open, in the words of RabbitMQ', () => {
    const bench = new CoreBroker();
    for (let count = 0; count < limits.amqp.connections; count++) bench.client();
    const peer = bench.peer();
    peer.shakeHands(0);
    expect(peer.closed()).toEqual([
      'connection.close',
      530,
      `NOT_ALLOWED - access to vhost '/' refused for user 'user': connection limit (${limits.amqp.connections}) is reached`,
    ]);
    bench.step({ kind: 'gone', connection: 1 });
    const next = bench.peer();
    next.shakeHands(0);
    expect(next.names()).toContain('connection.open-ok');
  });
});

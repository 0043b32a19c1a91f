import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RealPacketSieve } from '../../../../world/network/real-packet-sieve.ts';
import type { PacketFault } from '../../../../world/network-faults/conditions.ts';
import { LateCopies } from '../../../../world/network-faults/late-copies.ts';

const LATE_MS = 5_000;
/** A PUBLISH of one letter on topic `t`, with QoS 1 and this identifier, or with QoS 0. */
const publish = (letter: string, id?: number): Buffer => {
  const body = [0, 1, 't'.charCodeAt(0), ...(id === undefined ? [] : [0, id]), letter.charCodeAt(0)];
  return Buffer.from([id === undefined ? 0x30 : 0x32, body.length, ...body]);
};
const PUBACK = Buffer.from([0x40, 2, 0, 1]);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sieves of connections of one client; the first message that a fault takes is doubled, and the copy is late. */
function sieves() {
  const lateCopies = new LateCopies<Buffer>();
  const faults: readonly PacketFault[] = [
    { matches: () => true, act: { kind: 'double', byMs: LATE_MS }, left: 1 },
  ];
  return () => {
    const passed: Buffer[] = [];
    const state = { isOpen: true };
    const sieve = new RealPacketSieve({
      direction: 'up',
      faults: () => faults,
      lateCopies,
      isOpen: () => state.isOpen,
      pass: (bytes) => passed.push(bytes),
      sever: () => undefined,
    });
    return { sieve, state, passed };
  };
}

test('the second copy of a PUBLISH is late and has QoS 0, so that its identifier is free', () => {
  const { sieve, passed } = sieves()();
  sieve.take(Buffer.concat([publish('a', 1), publish('b', 2)]));
  vi.advanceTimersByTime(LATE_MS - 1);
  expect(passed).toEqual([publish('a', 1), publish('b', 2)]);
  vi.advanceTimersByTime(1);
  expect(passed.slice(2)).toEqual([publish('a')]);
});

test('a copy whose connection has ended waits for the next PUBLISH of another one', () => {
  const next = sieves();
  const first = next();
  first.sieve.take(publish('a', 1));
  first.state.isOpen = false;
  first.sieve.close();
  const second = next();
  second.sieve.take(publish('b', 1));
  vi.advanceTimersByTime(LATE_MS);
  expect(first.passed).toEqual([publish('a', 1)]);
  second.sieve.take(Buffer.concat([PUBACK, publish('c', 2), publish('d', 3)]));
  expect(second.passed.slice(1)).toEqual([PUBACK, publish('c', 2), publish('a'), publish('d', 3)]);
});

test('a PUBACK comes twice at once, since a late one would acknowledge another message', () => {
  const { sieve, passed } = sieves()();
  sieve.take(PUBACK);
  vi.advanceTimersByTime(LATE_MS);
  expect(passed).toEqual([PUBACK, PUBACK]);
});

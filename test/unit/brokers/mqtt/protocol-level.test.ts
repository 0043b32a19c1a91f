import fc from 'fast-check';
import { expect, test } from 'vitest';
import { levelGate } from '../../../../brokers/mqtt/protocol-level.ts';

/** A CONNECT with this name and level, its remaining length in so many bytes as it takes. */
function connect(name: string, level: number, bodyBytes: number): Uint8Array {
  const body = [0, name.length, ...Buffer.from(name), level, ...new Uint8Array(bodyBytes)];
  const length: number[] = [];
  for (let rest = body.length; rest > 0 || length.length === 0; rest >>= 7)
    length.push(rest > 127 ? (rest & 0x7f) | 0x80 : rest & 0x7f);
  return Uint8Array.from([0x10, ...length, ...body]);
}

/** Whether any of its pieces was refused, and how often. */
function refusals(stream: Uint8Array, cuts: readonly number[]): number {
  const gate = levelGate();
  let refused = 0;
  let at = 0;
  for (const cut of [...cuts, stream.length]) {
    if (gate.isRefused(stream.subarray(at, at + cut))) refused += 1;
    at += cut;
  }
  return refused;
}

const cuts = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 20 });
const name = fc.constantFrom('MQTT', 'MQIsdp');

test('a level that nobody knows is refused once, however the CONNECT is long or cut; every known one passes', () => {
  fc.assert(
    fc.property(name, fc.nat(255), fc.nat(400), cuts, (word, level, bytes, pieces) => {
      const isKnown = [3, 4, 5].includes(level & 0x7f);
      expect(refusals(connect(word, level, bytes), pieces)).toBe(isKnown ? 0 : 1);
    }),
  );
});

test('what is no CONNECT of MQTT is left to whoever reads it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), cuts, (bytes, pieces) => {
      fc.pre(bytes[0] !== 0x10);
      expect(refusals(bytes, pieces)).toBe(0);
    }),
  );
  expect(refusals(connect('MQTS', 6, 20), [])).toBe(0);
});

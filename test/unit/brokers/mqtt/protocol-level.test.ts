import fc from 'fast-check';
import { expect, test } from 'vitest';
import { protocolLevelCheck } from '../../../../brokers/mqtt/protocol-level.ts';

/** A CONNECT with this name and level, with a remaining length of this many bytes. */
function connect(name: string, level: number, bodyBytes: number): Uint8Array {
  const body = [0, name.length, ...Buffer.from(name), level, ...new Uint8Array(bodyBytes)];
  const length: number[] = [];
  for (let rest = body.length; rest > 0 || length.length === 0; rest >>= 7)
    length.push(rest > 127 ? (rest & 0x7f) | 0x80 : rest & 0x7f);
  return Uint8Array.from([0x10, ...length, ...body]);
}

/** How often one of the chunks was refused. */
function refusals(stream: Uint8Array, cuts: readonly number[]): number {
  const gate = protocolLevelCheck();
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

test('an unknown level is refused once, whatever the length and chunks of the CONNECT; every known one passes', () => {
  fc.assert(
    fc.property(name, fc.nat(255), fc.nat(400), cuts, (word, level, bytes, pieces) => {
      const isKnown = [3, 4, 5].includes(level & 0x7f);
      expect(refusals(connect(word, level, bytes), pieces)).toBe(isKnown ? 0 : 1);
    }),
  );
});

test('bytes that are not a CONNECT of MQTT are ignored', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), cuts, (bytes, pieces) => {
      fc.pre(bytes[0] !== 0x10);
      expect(refusals(bytes, pieces)).toBe(0);
    }),
  );
  expect(refusals(connect('MQTS', 6, 20), [])).toBe(0);
});

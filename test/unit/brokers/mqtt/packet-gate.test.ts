import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../../brokers/mqtt/limits.ts';
import { packetGate } from '../../../../brokers/mqtt/packet-gate.ts';
import { limits as wire } from '../../../../protocol/limits.ts';

/** A packet with a body of `size` bytes. Its length is written as the standard says in section 2.2.3. */
function packet(size: number): Uint8Array {
  const length: number[] = [];
  let rest = size;
  do {
    const digit = rest % 128;
    rest = Math.floor(rest / 128);
    length.push(rest > 0 ? digit | 0x80 : digit);
  } while (rest > 0);
  return Uint8Array.from([0x30, ...length, ...new Uint8Array(size).fill(0xff)]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

const sizes = fc.oneof(fc.constantFrom(0, 1, 126, 127, 128, 129, 299, 300), fc.nat(300));

describe('packet gate', () => {
  test('lets pass every stream of packets within the bounds, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(sizes, { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 50 })),
        (packets, cuts) => {
          const stream = joined(packets.map(packet));
          const gate = packetGate(300, 300);
          let at = 0;
          for (const cut of [...cuts, stream.length]) {
            expect(gate.admit(stream.subarray(at, at + cut))).toBe('admitted');
            at += cut;
          }
        },
      ),
    );
  });

  test('says no to a packet beyond the bound before its body has come', () => {
    fc.assert(
      fc.property(
        fc.array(sizes, { maxLength: 3 }),
        fc.integer({ min: 301, max: 100_000 }),
        (before, size) => {
          const gate = packetGate(300, 300);
          expect(gate.admit(joined(before.map(packet)))).toBe('admitted');
          expect(gate.admit(packet(size).subarray(0, 5))).toBe('too-large');
          expect(gate.admit(packet(0))).toBe('too-large');
        },
      ),
    );
  });

  test('has a smaller bound for the first packet, which comes from a stranger', () => {
    const gate = packetGate(10, 100);
    expect(gate.admit(packet(10))).toBe('admitted');
    expect(gate.admit(packet(100))).toBe('admitted');
    expect(packetGate(10, 100).admit(packet(11))).toBe('too-large');
  });

  test('says no to a length of more than four bytes', () => {
    const gate = packetGate(0xfff_ffff, 0xfff_ffff);
    expect(gate.admit(Uint8Array.of(0x30, 0x80, 0x80, 0x80, 0x80, 0x01))).toBe('malformed');
  });

  test('the bounds of the broker let pass the largest payload of the wire', () => {
    const topicBytes = 2 + 'boxes/0123456789abcdef/presence'.length;
    const packetIdBytes = 2;
    expect(limits.packetBytes).toBeGreaterThanOrEqual(wire.payloadBytes + topicBytes + packetIdBytes);
  });
});

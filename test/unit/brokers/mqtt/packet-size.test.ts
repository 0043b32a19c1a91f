import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../../brokers/limits.ts';
import { packetSizeCheck } from '../../../../brokers/mqtt/packet-size.ts';
import { wireLimits } from '../../../../protocol/limits.ts';

/** A packet with a body of `size` bytes. Its length is encoded as in section 2.2.3 of the standard. */
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

describe('packet size check', () => {
  test('allows every stream of packets within the limits, however it is chunked', () => {
    fc.assert(
      fc.property(
        fc.array(sizes, { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 50 })),
        (packets, cuts) => {
          const stream = joined(packets.map(packet));
          const gate = packetSizeCheck(300, 300);
          let at = 0;
          for (const cut of [...cuts, stream.length]) {
            expect(gate.admit(stream.subarray(at, at + cut))).toBe('admitted');
            at += cut;
          }
        },
      ),
    );
  });

  test('refuses a packet over the limit before its body has arrived', () => {
    fc.assert(
      fc.property(
        fc.array(sizes, { maxLength: 3 }),
        fc.integer({ min: 301, max: 100_000 }),
        (before, size) => {
          const gate = packetSizeCheck(300, 300);
          expect(gate.admit(joined(before.map(packet)))).toBe('admitted');
          expect(gate.admit(packet(size).subarray(0, 5))).toBe('too-large');
          expect(gate.admit(packet(0))).toBe('too-large');
        },
      ),
    );
  });

  test('has a smaller limit for the first packet, which anyone can send', () => {
    const gate = packetSizeCheck(10, 100);
    expect(gate.admit(packet(10))).toBe('admitted');
    expect(gate.admit(packet(100))).toBe('admitted');
    expect(packetSizeCheck(10, 100).admit(packet(11))).toBe('too-large');
  });

  test('refuses a length of more than four bytes', () => {
    const gate = packetSizeCheck(0xfff_ffff, 0xfff_ffff);
    expect(gate.admit(Uint8Array.of(0x30, 0x80, 0x80, 0x80, 0x80, 0x01))).toBe('malformed');
  });

  test('the limits of the broker allow the largest payload of the wire', () => {
    const topicBytes = 2 + 'boxes/49/0123456789abcdef/presence'.length;
    const packetIdBytes = 2;
    expect(limits.mqtt.packetBytes).toBeGreaterThanOrEqual(
      wireLimits.payloadBytes + topicBytes + packetIdBytes,
    );
  });
});

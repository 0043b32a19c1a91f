import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  MqttPacketCutter,
  qos0CopyOf,
  readPassingPacket,
} from '../../../../world/mqtt/mqtt-packet-cutter.ts';

/** A PUBLISH with QoS 1, identifier 7. */
function publish(topic: string, payload: Buffer): Buffer {
  const name = Buffer.from(topic);
  const body = Buffer.concat([Buffer.from([0, name.byteLength]), name, Buffer.from([0, 7]), payload]);
  const length = body.byteLength;
  const head = length < 0x80 ? [0x32, length] : [0x32, (length & 0x7f) | 0x80, length >> 7];
  return Buffer.concat([Buffer.from(head), body]);
}

const PUBACK = Buffer.from([0x40, 2, 0, 7]);
const PING = Buffer.from([0xc0, 0]);

test('in whatever pieces a stream comes, its packets are the same', () => {
  const anyPacket = fc.oneof(
    fc.constantFrom(PUBACK, PING),
    fc.uint8Array({ maxLength: 300 }).map((payload) => publish('boxes/1/up', Buffer.from(payload))),
  );
  fc.assert(
    fc.property(fc.array(anyPacket), fc.array(fc.nat({ max: 40 })), (packets, cuts) => {
      const cutter = new MqttPacketCutter(10_000);
      let rest = Buffer.concat(packets);
      const cut: Buffer[] = [];
      for (const at of cuts) {
        cut.push(...cutter.take(rest.subarray(0, at)));
        rest = rest.subarray(at);
      }
      cut.push(...cutter.take(rest));
      expect(cut.map((one) => one.toString('hex'))).toEqual(packets.map((one) => one.toString('hex')));
      expect(cutter.end().byteLength).toBe(0);
    }),
  );
});

test('what is no MQTT, or too large to wait for, passes as it comes', () => {
  const strange = new MqttPacketCutter(100);
  const bytes = Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 0x01, 5]);
  expect(strange.take(bytes)).toEqual([bytes]);
  const large = new MqttPacketCutter(100);
  const beginning = publish('boxes/1/up', Buffer.alloc(200)).subarray(0, 50);
  expect(large.take(beginning)).toEqual([beginning]);
  expect(large.take(PUBACK)).toEqual([PUBACK]);
});

test('a PUBLISH is read with topic and payload, a PUBACK without, and nothing else is', () => {
  const payload = Buffer.from('payload of more than nothing');
  expect(readPassingPacket(publish('boxes/1/up', payload), 'up')).toEqual({
    direction: 'up',
    kind: 'PUBLISH',
    topic: 'boxes/1/up',
    payload,
  });
  const withQos0 = Buffer.from([0x30, 4, 0, 1, 0x61, 0x62]);
  expect(readPassingPacket(withQos0, 'down')).toMatchObject({ topic: 'a', payload: Buffer.from('b') });
  expect(readPassingPacket(PUBACK, 'down')).toMatchObject({ kind: 'PUBACK', direction: 'down' });
  expect(readPassingPacket(PING, 'up')).toBeUndefined();
  expect(readPassingPacket(Buffer.from([0x32, 3, 0, 200, 1]), 'up')).toBeUndefined();
});

test('a copy with QoS 0 has the topic, the payload and the retain flag, and is a whole packet', () => {
  const anyPayload = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(anyPayload, fc.constantFrom(0x32, 0x33, 0x3a, 0x3b), (payload, first) => {
      const packet = publish('boxes/1/up', payload);
      packet[0] = first;
      const copy = qos0CopyOf(packet) ?? Buffer.alloc(0);
      expect(copy[0]).toBe(0x30 | (first & 1));
      expect(readPassingPacket(copy, 'up')).toEqual(readPassingPacket(packet, 'up'));
      expect(new MqttPacketCutter(10_000).take(Buffer.concat([copy, PING]))).toEqual([copy, PING]);
      expect(qos0CopyOf(copy)).toEqual(copy);
    }),
  );
  for (const other of [PUBACK, PING, Buffer.from([0x32, 3, 0, 200, 1])])
    expect(qos0CopyOf(other)).toBeUndefined();
});

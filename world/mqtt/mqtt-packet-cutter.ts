import type { PassingPacket } from '../network-faults/conditions.ts';

const PUBLISH = 3;
const PUBACK = 4;
/** The flag in the first byte of a PUBLISH. */
const RETAIN = 1;
/** The remaining length has 1 to 4 bytes; all but the last have the highest bit (MQTT 3.1.1 section 2.2.3). */
const MOST_LENGTH_BYTES = 4;
const NOTHING = Buffer.alloc(0);

/** Cuts one direction of an MQTT connection into its control packets (MQTT 3.1.1 section 2). */
export class MqttPacketCutter {
  readonly #mostBytes: number;
  #rest: Buffer = NOTHING;
  #isOpaque = false;

  /** A packet of more than `mostBytes` is not buffered: it and all bytes after it pass uncut. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** The packets that are whole with these bytes; of a stream that is no MQTT, the bytes as they came. */
  take(bytes: Buffer): readonly Buffer[] {
    let rest = this.#rest.byteLength === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const packets: Buffer[] = [];
    while (!this.#isOpaque && rest.byteLength > 0) {
      const length = packetLength(rest);
      if (length === undefined || length > this.#mostBytes) this.#isOpaque = true;
      else if (length === 0 || length > rest.byteLength) break;
      else {
        packets.push(rest.subarray(0, length));
        rest = rest.subarray(length);
      }
    }
    if (this.#isOpaque && rest.byteLength > 0) {
      packets.push(rest);
      rest = NOTHING;
    }
    this.#rest = rest;
    return packets;
  }

  /** The remaining bytes of a stream that ended within a packet. */
  end(): Buffer {
    const rest = this.#rest;
    this.#rest = NOTHING;
    return rest;
  }
}

/** The length with the header; 0: too few bytes are there. Undefined: this is no MQTT packet. */
function packetLength(bytes: Buffer): number | undefined {
  let remaining = 0;
  for (let at = 1; at <= MOST_LENGTH_BYTES; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) return 0;
    remaining += (byte & 0x7f) << (7 * (at - 1));
    if (byte < 0x80) return at + 1 + remaining;
  }
  return undefined;
}

/**
 * A copy of a whole PUBLISH with QoS 0: without its packet identifier, and without DUP (MQTT 3.1.1 section 3.3.1).
 * Undefined: it is none.
 */
export function qos0CopyOf(packet: Buffer): Buffer | undefined {
  const parts = partsOf(packet);
  if (parts === undefined) return undefined;
  const rest = Buffer.concat([
    packet.subarray(parts.topicAt - 2, parts.topicEnd),
    packet.subarray(parts.payloadAt),
  ]);
  const header = [(PUBLISH << 4) | ((packet[0] ?? 0) & RETAIN)];
  for (let left = rest.byteLength; ; left >>= 7) {
    const isLast = left < 0x80;
    header.push((left & 0x7f) | (isLast ? 0 : 0x80));
    if (isLast) return Buffer.concat([Buffer.from(header), rest]);
  }
}

/** A whole packet as faults match it; undefined: one of another kind than PUBLISH and PUBACK. */
export function readPassingPacket(
  packet: Buffer,
  direction: PassingPacket['direction'],
): PassingPacket | undefined {
  if ((packet[0] ?? 0) >> 4 === PUBACK) return { direction, kind: 'PUBACK', topic: '', payload: NOTHING };
  const parts = partsOf(packet);
  if (parts === undefined) return undefined;
  return {
    direction,
    kind: 'PUBLISH',
    topic: packet.toString('utf8', parts.topicAt, parts.topicEnd),
    payload: packet.subarray(parts.payloadAt),
  };
}

/** Where the parts of a whole PUBLISH are. */
interface PublishParts {
  readonly topicAt: number;
  readonly topicEnd: number;
  readonly payloadAt: number;
}

/** Undefined: it is no PUBLISH. */
function partsOf(packet: Buffer): PublishParts | undefined {
  const first = packet[0] ?? 0;
  if (first >> 4 !== PUBLISH) return undefined;
  let at = 1;
  while ((packet[at] ?? 0) >= 0x80) at += 1;
  at += 1;
  if (at + 2 > packet.byteLength) return undefined;
  const topicEnd = at + 2 + packet.readUInt16BE(at);
  // With QoS 1 and 2 a packet identifier precedes the payload (section 3.3.2.2).
  const payloadAt = topicEnd + ((first & 0x06) === 0 ? 0 : 2);
  return payloadAt > packet.byteLength ? undefined : { topicAt: at + 2, topicEnd, payloadAt };
}

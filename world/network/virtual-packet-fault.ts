import type { MqttPacket } from '../mqtt/virtual-mqtt-packets.ts';
import type { Direction, PacketFault } from '../network-faults/conditions.ts';

const NO_PAYLOAD = new Uint8Array(0);

/** The first fault that applies to this packet; only PUBLISH and PUBACK have any. */
export function packetFaultFor(
  packetFaults: readonly PacketFault[],
  direction: Direction,
  packet: MqttPacket,
): PacketFault | undefined {
  if (packetFaults.length === 0 || (packet.kind !== 'PUBLISH' && packet.kind !== 'PUBACK')) return undefined;
  const { kind } = packet;
  const { topic, payload } = kind === 'PUBLISH' ? packet : { topic: '', payload: NO_PAYLOAD };
  return packetFaults.find(({ left, matches }) => left > 0 && matches({ direction, kind, topic, payload }));
}

import type { MqttMessage } from './mqtt-client.ts';

/**
 * The content of a virtual MQTT connection: the packets of MQTT 3.1.1 that are used here, and the end of
 * the stream.
 */
export type MqttPacket =
  | { readonly kind: 'CONNECT'; readonly connect: MqttConnectFields }
  | { readonly kind: 'CONNACK'; readonly isAccepted: boolean; readonly present: boolean }
  | {
      readonly kind: 'PUBLISH';
      /** 0: it has QoS 0 and no identifier, and is not acknowledged. */
      readonly id: number;
      readonly topic: string;
      readonly payload: Uint8Array;
      readonly retain: boolean;
    }
  | { readonly kind: 'PUBACK'; readonly id: number }
  | { readonly kind: 'SUBSCRIBE'; readonly id: number; readonly filter: string }
  | { readonly kind: 'SUBACK'; readonly id: number; readonly isGranted: boolean }
  | { readonly kind: 'DISCONNECT' }
  /** TCP's end of stream: the other side closed its socket. */
  | { readonly kind: 'FIN'; readonly reason: string };

/** The callbacks of one end of a connection. */
export interface ConnectionEnd {
  receive(packet: MqttPacket): void;
  /** The connection has ended. Called at most once, as the last callback; not if this end closed the connection. */
  lost(reason: string): void;
}

export type ConnectionSide = 'client' | 'broker';

/** The fields of a CONNECT. */
export interface MqttConnectFields {
  readonly clientId: string;
  readonly username: string;
  readonly password: string;
  readonly clean: boolean;
  readonly keepAliveS: number;
  readonly will: MqttMessage | undefined;
}

/** One line for the trace. */
export function describePacket(packet: MqttPacket): string {
  switch (packet.kind) {
    case 'CONNECT':
      return `CONNECT ${packet.connect.clientId}`;
    case 'CONNACK':
      return `CONNACK ${packet.isAccepted ? 'accepted' : 'refused'}${packet.present ? ' present' : ''}`;
    case 'PUBLISH':
      return `PUBLISH ${packet.id} ${packet.topic}${packet.retain ? ' retain' : ''}`;
    case 'PUBACK':
      return `PUBACK ${packet.id}`;
    case 'SUBSCRIBE':
      return `SUBSCRIBE ${packet.id} ${packet.filter}`;
    case 'SUBACK':
      return `SUBACK ${packet.id} ${packet.isGranted ? 'granted' : 'refused'}`;
    case 'DISCONNECT':
      return 'DISCONNECT';
    case 'FIN':
      return `FIN ${packet.reason}`;
    default:
      return packet satisfies never;
  }
}

/** IPv4 and TCP without options. */
const HEADER_BYTES = 40;

/** The size of a packet on the network: as MQTT 3.1.1 encodes it, with the headers of one TCP segment. */
export function wireBytes(packet: MqttPacket): number {
  return HEADER_BYTES + mqttBytes(packet);
}

function mqttBytes(packet: MqttPacket): number {
  switch (packet.kind) {
    case 'CONNECT': {
      const { clientId, username, password, will } = packet.connect;
      const willBytes = will === undefined ? 0 : text(will.topic) + 2 + will.payload.byteLength;
      return whole(10 + text(clientId) + text(username) + text(password) + willBytes);
    }
    case 'PUBLISH':
      return whole(text(packet.topic) + (packet.id === 0 ? 0 : 2) + packet.payload.byteLength);
    case 'SUBSCRIBE':
      return whole(2 + text(packet.filter) + 1);
    case 'SUBACK':
      return whole(3);
    case 'CONNACK':
    case 'PUBACK':
      return whole(2);
    case 'DISCONNECT':
      return whole(0);
    case 'FIN':
      return 0;
    default:
      return packet satisfies never;
  }
}

/** A string: two bytes of length and its bytes (section 1.5.3). */
function text(value: string): number {
  return 2 + Buffer.byteLength(value);
}

/** The fixed header: one byte, and the remaining length in up to four (section 2.2.3). */
function whole(remaining: number): number {
  if (remaining < 128) return 2 + remaining;
  if (remaining < 16_384) return 3 + remaining;
  return (remaining < 2_097_152 ? 4 : 5) + remaining;
}

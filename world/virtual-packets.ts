import type { Publication } from './link.ts';

/** What crosses a virtual MQTT connection: the packets of MQTT 3.1.1 that matter here, and the end of the stream. */
export type Packet =
  | { readonly kind: 'CONNECT'; readonly sign: SignIn }
  | { readonly kind: 'CONNACK'; readonly isAccepted: boolean; readonly present: boolean }
  | {
      readonly kind: 'PUBLISH';
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

/** What a CONNECT carries. */
export interface SignIn {
  readonly clientId: string;
  readonly username: string;
  readonly password: string;
  readonly clean: boolean;
  readonly keepAliveS: number;
  readonly will: Publication | undefined;
}

/** One line for the trace. */
export function describe(packet: Packet): string {
  switch (packet.kind) {
    case 'CONNECT':
      return `CONNECT ${packet.sign.clientId}`;
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

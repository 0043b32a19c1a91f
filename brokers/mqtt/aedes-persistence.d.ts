/** The used part of aedes-persistence; its own types describe the variant with callbacks. */
declare module 'aedes-persistence/asyncPersistence.js' {
  import type { Readable } from 'node:stream';

  export interface SessionClient {
    readonly id: string;
  }
  export interface SessionSubscription {
    readonly clientId: string;
  }
  export interface StoredSubscription {
    readonly topic: string;
    readonly qos: number;
  }
  export interface BrokerPacket {
    readonly cmd?: string;
    readonly topic: string;
    readonly payload: Uint8Array | string;
    readonly brokerId?: string;
    readonly brokerCounter: number;
    messageId?: number | undefined;
    dup?: boolean;
  }

  export default class AsyncPersistence {
    static readonly Packet: new (
      original: BrokerPacket,
    ) => BrokerPacket;
    storeRetained(packet: BrokerPacket): Promise<void>;
    createRetainedStream(filter: string): Readable;
    addSubscriptions(client: SessionClient, subscriptions: readonly StoredSubscription[]): Promise<void>;
    subscriptionsByClient(client: SessionClient): Promise<readonly StoredSubscription[]>;
    createRetainedStreamCombi(filters: readonly string[]): Readable;
    cleanSubscriptions(client: SessionClient): Promise<void>;
    outgoingEnqueue(subscription: SessionSubscription, packet: BrokerPacket): Promise<void>;
    outgoingEnqueueCombi(subscriptions: readonly SessionSubscription[], packet: BrokerPacket): Promise<void>;
    outgoingUpdate(client: SessionClient, packet: BrokerPacket): Promise<void>;
    outgoingClearMessageId(client: SessionClient, packet: BrokerPacket): Promise<BrokerPacket | undefined>;
    outgoingStream(client: SessionClient): Readable;
  }
}

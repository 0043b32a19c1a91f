/**
 * An MQTT session (MQTT 3.1.1, QoS 1). One `open` is one network connection. It never reconnects
 * automatically: the caller decides when to try again.
 */
export interface MqttClient {
  /**
   * Connects. Rejects with a `MqttRefused` if the broker refuses or cannot be reached within `connectTimeoutMs`. Over
   * sockets the `code` of its `cause` is the broker's return code (MQTT 3.1.1 section 3.2.2.3) or the socket's error
   * code.
   */
  open(options: MqttConnectOptions, events: MqttSessionEvents): Promise<MqttSession>;
}

export interface MqttConnectOptions {
  readonly clientId: string;
  readonly username: string;
  readonly password: string;
  /**
   * True: no state outlives the connection. False: the broker keeps subscriptions and unacknowledged
   * messages.
   */
  readonly clean: boolean;
  readonly keepAliveS: number;
  readonly connectTimeoutMs: number;
  readonly will?: MqttMessage;
}

export interface MqttMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly retain: boolean;
}

export interface MqttSessionEvents {
  /**
   * A message was received. `acknowledge` sends the PUBACK and may be called once, also within this call.
   * Until then the session emits no further message, which is the backpressure of a slow consumer. No message
   * is emitted before `open` has resolved.
   */
  message(topic: string, payload: Uint8Array, retained: boolean, acknowledge: () => void): void;
  /** The connection ended for any reason, including `end` and `drop`. Called once; no event follows it. */
  closed(reason: string): void;
}

export interface MqttSession {
  /** True if the broker resumed the state of an earlier connection. */
  readonly present: boolean;
  /**
   * Publishes at QoS 1 and resolves at the PUBACK. Rejects with `MqttConnectionLost` if the connection ends
   * first: the message may have arrived or not. Messages are sent in the order of the calls.
   */
  publish(message: MqttMessage): Promise<void>;
  /**
   * Subscribes at QoS 1, or at 0 where the client was opened for that. Resolves at the SUBACK; rejects with `MqttRefused`
   * if the broker refuses the filter.
   */
  subscribe(filter: string): Promise<void>;
  /** Sends DISCONNECT (the broker drops the will) and ends the connection. */
  end(): Promise<void>;
  /** Severs the connection without a DISCONNECT: the broker publishes the will when it notices. */
  drop(): void;
}

export class MqttRefused extends Error {
  override readonly name = 'LinkRefused';
}

export class MqttConnectionLost extends Error {
  override readonly name = 'LinkLost';
}

/** Limits of the embedded MQTT broker. */
export const limits = {
  /** More than one client address has local ports for, which bounds a fleet. */
  connections: 30_000,
  /**
   * The remaining length (MQTT 3.1.1 section 2.2.3) of a packet: a payload of 65,536 bytes with its topic.
   */
  packetBytes: 65_536 + 256,
  /** The same for the first packet, which anyone can send: a CONNECT with a will of one frame. */
  firstPacketBytes: 8_192,
  /** From the connection to the CONNECT, including the TLS handshake. */
  connectMs: 10_000,
  keepAliveS: 3_600,
  clientIdLength: 64,
  topicLevels: 8,
  /** Packets of a client that wait until it is signed in. */
  packetsBeforeSignIn: 42,
  /** QoS 2 publications of a client between PUBLISH and PUBREL; no client of this system uses QoS 2. */
  incompleteQos2: 16,
  /**
   * Unacknowledged messages of a persistent session, sent and queued together; below 65,535, the number of
   * packet identifiers.
   */
  queuedMessages: 60_000,
  queuedBytes: 64 * 1_024 * 1_024,
  /** How long a subscriber may read nothing while its buffers are full. */
  stalledMs: 60_000,
  /** How many bytes may be buffered in this process for a connection whose client does not read them. */
  untakenBytes: 32 * 1_024 * 1_024,
  /**
   * Messages that wait for a subscriber within this process. From here on boxes that publish are not read from,
   * until it is down to a part of both bounds.
   */
  brakeMessages: 8_192,
  brakeBytes: 16 * 1_024 * 1_024,
  brakeReleaseFraction: 0.5,
  /** Publications that pass in one turn of the event loop when the brake is released. */
  releasedAtOnce: 256,
  /** Places of messages that were given, at the front of an inbox, before it is moved up. */
  inboxSlack: 1_024,
} as const;

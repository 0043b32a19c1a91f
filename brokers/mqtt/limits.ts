/** The bounds of the embedded MQTT broker. */
export const limits = {
  connections: 12_000,
  /** The remaining length (MQTT 3.1.1 section 2.2.3) of a packet: a payload of 65,536 bytes with its topic. */
  packetBytes: 65_536 + 256,
  /** The same of the first packet, which comes from anybody: a CONNECT with a will of one frame. */
  firstPacketBytes: 8_192,
  /** From the connection, and the handshake of TLS, to the CONNECT. */
  connectMs: 10_000,
  keepAliveS: 3_600,
  clientIdLength: 64,
  topicLevels: 8,
  /** Packets of a client that wait until it is signed in. */
  packetsBeforeSignIn: 42,
  /** QoS 2 publications of a client between PUBLISH and PUBREL; nobody here uses QoS 2. */
  halfReceived: 16,
  /**
   * Messages that a persistent session may have unacknowledged, live and away together; below 65,535, the number of
   * packet identifiers.
   */
  queuedMessages: 60_000,
  queuedBytes: 64 * 1_024 * 1_024,
  /** How long a subscriber may take nothing while its buffers are full. */
  stalledMs: 60_000,
  /** What a connection may have in this process's memory that its client has not taken. */
  untakenBytes: 32 * 1_024 * 1_024,
} as const;

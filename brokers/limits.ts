/** The limits of the brokers. */
export const limits = {
  /** How much about refused clients goes into the log. */
  log: {
    /**
     * The minimum interval between log lines of one kind for each name, and the maximum number of lines of a
     * kind in that time for all names together.
     */
    logEveryMs: 60_000,
    loggedPerKind: 20,
    /** How many names the log remembers; beyond it the oldest is forgotten. */
    loggedIds: 1_000,
    loggedIdLength: 64,
  },
  /** The embedded MQTT broker. */
  mqtt: {
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
    /** Positions of delivered messages, at the front of an inbox, before it is compacted. */
    inboxSlack: 1_024,
  },
  /** The embedded AMQP broker. */
  amqp: {
    /** Open connections; one more is refused at connection.open. */
    connections: 512,
    /**
     * Connections that are not open yet or are closing, in total and for each address; beyond it the oldest is
     * severed.
     */
    waiting: 256,
    waitingOfAddress: 192,
    /** Proposed in connection.tune; a client may choose less. */
    channelMax: 255,
    frameMax: 131_072,
    /** The minimum that the protocol requires (section 2.3.5), and the limit until a connection is tuned. */
    frameMin: 4_096,
    heartbeatS: 60,
    /** Intervals of the heartbeat in which nothing comes from a peer, before it is severed: as many as in RabbitMQ. */
    silentIntervals: 3,
    /** From the connection, including the TLS handshake, to the sign-in, and to connection.open. */
    signInMs: 5_000,
    connectMs: 10_000,
    /** How long the answer to a connection.close may take. */
    closeMs: 2_000,
    /** The body of one message. */
    messageBytes: 4 * 1_024 * 1_024,
    /** Incomplete bodies of one connection, on all its channels. */
    partialBodyBytes: 8 * 1_024 * 1_024,
    /**
     * All messages together, ready and unacknowledged. Beyond it publishers are blocked, until it is below
     * `memoryLowBytes`.
     */
    memoryBytes: 256 * 1_024 * 1_024,
    memoryLowBytes: 230 * 1_024 * 1_024,
    /** The memory of a message in addition to its bytes. */
    messageOverheadBytes: 400,
    /**
     * Unread bytes of a connection: beyond it nothing is delivered to it, beyond twice as much nothing is read
     * from it.
     */
    outstandingBytes: 1_024 * 1_024,
    /** How long a connection may read nothing of what was written to it. */
    stalledMs: 60_000,
    queues: 10_000,
    exchanges: 1_000,
    bindings: 20_000,
    consumersPerChannel: 1_000,
    /** Deliveries and gets of a channel without acknowledgement; beyond it nothing more is delivered. */
    unacknowledgedPerChannel: 50_000,
    /** Publications of a channel without confirm; beyond it nothing is read until a commit. */
    unconfirmedPerChannel: 10_000,
    /** Tables within tables. */
    tableDepth: 16,
    /** Bindings between exchanges, and repeated dead-lettering, that one publication may pass through. */
    deadLetterDepth: 16,
    /** How often TTLs, heartbeats and deadlines are checked. */
    tickMs: 100,
    /**
     * Records that no answer waits for, such as acknowledgements, are committed after this time or at this
     * number.
     */
    unawaitedMs: 100,
    unawaitedRecords: 5_000,
    /** The delay before a failed commit is tried again. */
    commitRetryMs: 500,
    /** How long an answer waits for a commit while commits fail. */
    answerMs: 2_000,
    /** Unread bytes of a connection: beyond it, a direct reply closes the connection. */
    outstandingReplyBytes: 4 * 1_024 * 1_024,
    /** The longest TTL and expiry, as in RabbitMQ: 2^32 - 1 ms. */
    longestTtlMs: 4_294_967_295,
  },
  /** The embedded AMQP broker's own users, and the interface that manages them. */
  users: {
    users: 10_000,
    nameCharacters: 128,
    passwordCharacters: 1_024,
    /** Of one permission. The service's own name every queue of a subscription. */
    patternCharacters: 8_192,
    /** Of a hash in the file. */
    hashCharacters: 512,
    /** Of a request: three permissions, with every character escaped. */
    bodyBytes: 64 * 1_024,
    /** The file of all users. */
    fileBytes: 32 * 1_024 * 1_024,
    /** Changes that share one write of the file; more wait for the next. */
    groupChanges: 1_000,
    /** Cached decisions of a user's permissions. */
    rememberedMatches: 1_000,
    /** Of a name or value in an error. */
    quotedCharacters: 80,
  },
  /** Validity of the certificates of the local authority. */
  certificates: {
    /** The authority: users have its certificate in their clients' settings, so it outlives every data directory. */
    authorityDays: 3_650,
    /** A server's certificate: within the 398 days that strict clients accept. */
    serverDays: 397,
    /** A certificate that expires within this time is renewed at the start. */
    renewDays: 60,
    /** Certificates are valid from before their creation, since clocks differ. */
    earlierDays: 1,
  },
} as const;

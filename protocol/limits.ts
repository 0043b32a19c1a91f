/** Limits of the wire. Relations between them are tested in test/unit/protocol/limits.test.ts. */
export const wireLimits = {
  /** One MQTT payload; larger ones are not read. */
  payloadBytes: 65_536,
  /** The payload of one frame, without envelope. */
  framePayloadBytes: 2_048,
  framesPerPayload: 256,
  receiptRanges: 32,
  obdValues: 16,
  troubleCodes: 8,
  canFrames: 8,
  canDataBytes: 8,
  analogPorts: 4,
  pioPortGroups: 8,
  settings: 64,
  /** The number of intervals into which the time after a crash is divided. */
  crashSamples: 20,
  errorTextBytes: 64,
  unreadableSequences: 32,
  highestSequence: 0xffff_ffff,
} as const;

/** The bounds of a CAN database (DBC file); what exceeds them is refused, or reported and skipped. */
export const dbcLimits = {
  /** Of the file, before it is decoded. The largest that are known have a few million. */
  fileBytes: 16_000_000,
  messages: 20_000,
  signals: 200_000,
  /** Entries of one value table. */
  valuesOfSignal: 4_096,
  /** Problems that are listed; the rest is counted. */
  problems: 100,
  /** Of CAN FD. */
  messageBytes: 64,
  signalBits: 64,
} as const;

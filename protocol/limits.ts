/** Limits of the wire. Relations between them are tested in test/unit/protocol/limits.test.ts. */
export const limits = {
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

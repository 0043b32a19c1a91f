/** The bounds of a CAN database (DBC file); what is beyond them is refused, or told and left out. */
export const limits = {
  /** Of the file, before it is decoded. The largest that are known have a few million. */
  fileBytes: 16_000_000,
  messages: 20_000,
  signals: 200_000,
  /** Entries of one value table. */
  valuesOfSignal: 4_096,
  /** Problems that are told; the rest is counted. */
  problems: 100,
  /** Of CAN FD. */
  messageBytes: 64,
  signalBits: 64,
} as const;

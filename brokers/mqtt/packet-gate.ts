/**
 * Watches the bytes of a client for packets that are too large, before anything is kept of them. A packet begins so
 * (MQTT 3.1.1 section 2.2):
 *
 *     byte 0       type and flags
 *     byte 1..4    remaining length, 7 bits each, lowest first; bit 7: another byte follows
 *     then         that many bytes
 */
export interface PacketGate {
  /** The next bytes of the stream. Once it has said no it says no for ever. */
  admit(chunk: Uint8Array): 'admitted' | 'too-large' | 'malformed';
}

/** A gate that lets pass remaining lengths up to `firstBytes` for the first packet and `laterBytes` for the others. */
export function packetGate(firstBytes: number, laterBytes: number): PacketGate {
  let verdict: 'admitted' | 'too-large' | 'malformed' = 'admitted';
  let allowedBytes = firstBytes;
  let state: 'type' | 'length' | 'body' = 'type';
  let lengthBytes = 0;
  let remaining = 0;

  /** One byte of the remaining length; its value grows by 7 bits with each. */
  function readLength(byte: number): void {
    remaining += (byte & 0x7f) * POWERS_OF_128[lengthBytes as 0 | 1 | 2 | 3];
    lengthBytes++;
    // What is known of the length so far is its lower part: it only grows.
    if (remaining > allowedBytes) verdict = 'too-large';
    else if (byte < 0x80) endLength();
    else if (lengthBytes === 4) verdict = 'malformed';
  }

  function endLength(): void {
    state = remaining === 0 ? 'type' : 'body';
    lengthBytes = 0;
    allowedBytes = laterBytes;
  }

  return {
    admit(chunk) {
      let at = 0;
      while (at < chunk.length && verdict === 'admitted') {
        if (state === 'body') {
          const skipped = Math.min(remaining, chunk.length - at);
          at += skipped;
          remaining -= skipped;
          if (remaining === 0) state = 'type';
        } else if (state === 'type') {
          at++;
          remaining = 0;
          state = 'length';
        } else readLength(chunk[at++] ?? 0);
      }
      return verdict;
    },
  };
}

const POWERS_OF_128 = [1, 128, 16_384, 2_097_152] as const;

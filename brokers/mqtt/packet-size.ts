/**
 * Checks the bytes of a client for packets that are too large, before any of them is buffered. A packet
 * begins as follows (MQTT 3.1.1 section 2.2):
 *
 *     byte 0       type and flags
 *     byte 1..4    remaining length, 7 bits each, lowest first; bit 7: another byte follows
 *     then         that many bytes
 */
export interface PacketSizeCheck {
  /** Checks the next bytes of the stream. After a refusal the result never changes. */
  admit(chunk: Uint8Array): 'admitted' | 'too-large' | 'malformed';
}

/**
 * A check that allows remaining lengths up to `firstBytes` for the first packet and `laterBytes` for the
 * others.
 */
export function packetSizeCheck(firstBytes: number, laterBytes: number): PacketSizeCheck {
  let result: 'admitted' | 'too-large' | 'malformed' = 'admitted';
  let allowedBytes = firstBytes;
  let state: 'type' | 'length' | 'body' = 'type';
  let lengthBytes = 0;
  let remaining = 0;

  /** Reads one byte of the remaining length; each byte adds 7 bits. */
  function readLength(byte: number): void {
    remaining += (byte & 0x7f) * POWERS_OF_128[lengthBytes as 0 | 1 | 2 | 3];
    lengthBytes++;
    // The length read so far is its lower part: it only grows.
    if (remaining > allowedBytes) result = 'too-large';
    else if (byte < 0x80) endLength();
    else if (lengthBytes === 4) result = 'malformed';
  }

  function endLength(): void {
    state = remaining === 0 ? 'type' : 'body';
    lengthBytes = 0;
    allowedBytes = laterBytes;
  }

  return {
    admit(chunk) {
      let at = 0;
      while (at < chunk.length && result === 'admitted') {
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
      return result;
    },
  };
}

const POWERS_OF_128 = [1, 128, 16_384, 2_097_152] as const;

/**
 * A ULID in its two forms: 26 characters of Crockford's base32, or 16 bytes, big-endian. 26 × 5 = 130 bits
 * hold 128, so the first character is 0 to 7.
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CHARACTERS = 26;
const BYTES = 16;

const worth = new Map([...ALPHABET].map((letter, value) => [letter, value]));

/**
 * The 16 bytes of a ULID, or undefined if the text is not one (lower case is not accepted: ids are compared
 * as text).
 */
export function ulidBytes(text: string): Uint8Array | undefined {
  if (text.length !== CHARACTERS || text.charAt(0) > '7') return undefined;
  const bytes = new Uint8Array(BYTES);
  let gathered = 0;
  let bits = -2;
  let at = 0;
  for (let index = 0; index < CHARACTERS; index += 1) {
    const value = worth.get(text.charAt(index));
    if (value === undefined) return undefined;
    gathered = ((gathered << 5) | value) & 0x1fff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes[at] = (gathered >> bits) & 0xff;
      at += 1;
    }
  }
  return bytes;
}

/** When a ULID was made: its first 48 bits, epoch milliseconds; 0 if the text is not a ULID. */
export function ulidMs(text: string): number {
  const bytes = ulidBytes(text) ?? new Uint8Array(BYTES);
  return bytes.slice(0, 6).reduce((sum, byte) => sum * 256 + byte, 0);
}

/** The text of the 16 bytes that begin at `start`; bytes beyond the end count as 0. */
export function ulidText(bytes: Uint8Array, start: number): string {
  let text = '';
  let gathered = 0;
  let bits = 2;
  for (let index = 0; index < BYTES; index += 1) {
    gathered = ((gathered << 8) | (bytes[start + index] ?? 0)) & 0x1fff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt((gathered >> bits) & 31);
    }
  }
  return text;
}

import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { Crypto } from './crypto.ts';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** base64url without padding. Decoding would skip other characters. */
const FORM = /^[A-Za-z0-9_-]+$/;

/**
 * The encryption of a `Crypto` whose own key is `ownKey`: AES-256-GCM (NIST SP 800-38D). The key of a text is
 * derived from both keys. The initialisation vector is derived from that key and the text, so that no chance
 * is needed and different texts never share a vector.
 */
export function keyedCipher(ownKey: Buffer): Pick<Crypto, 'encrypt' | 'decrypt'> {
  const keyOf = (key: string) => createHmac('sha256', ownKey).update(`cipher\n${key}`, 'utf8').digest();
  return {
    encrypt(key, text) {
      const derived = keyOf(key);
      const iv = createHmac('sha256', derived).update(text, 'utf8').digest().subarray(0, IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, derived, iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    decrypt(key, encrypted) {
      const bytes = FORM.test(encrypted) ? Buffer.from(encrypted, 'base64url') : Buffer.alloc(0);
      if (bytes.byteLength < IV_BYTES + TAG_BYTES) return undefined;
      try {
        const decipher = createDecipheriv(ALGORITHM, keyOf(key), bytes.subarray(0, IV_BYTES), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        const body = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
        return Buffer.concat([body, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Crypto } from './crypto.ts';

const DERIVED_BYTES = 32;

/** The part of `Crypto` that is the same in both worlds: it needs neither chance nor threads. */
export const keyedMac: Pick<Crypto, 'mac' | 'verifyMac' | 'deriveSecret'> = {
  mac: (key, text) => macOf(key, text).toString('hex'),
  deriveSecret: (root, purpose) =>
    Buffer.from(hkdfSync('sha256', root, '', purpose, DERIVED_BYTES)).toString('hex'),
  verifyMac: (key, text, mac) => {
    const given = Buffer.from(mac, 'hex');
    const right = macOf(key, text);
    // Decoding stops at the first character that is not hex, so the length must be compared too.
    return mac.length === right.length * 2 && given.length === right.length && timingSafeEqual(given, right);
  },
};

function macOf(key: string, text: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'utf8')).update(text, 'utf8').digest();
}
